/**
 * Whether a permission rule holds for a part of a request.
 *
 * Doubt counts against a rule that allows. A rule that restricts holds surely, perhaps, or not at all:
 * perhaps, when the command or the file that it is about may be what the part comes down to.
 *
 * @module
 */

import { matchGlob } from "./glob.ts";
import { matchCommand } from "./permission_command.ts";
import { mayMatch, pathMatcher, resolvePath } from "./permission_path.ts";
import type { PermissionRequest } from "./permission_request.ts";
import type { PermissionRule } from "./permission_rules.ts";
import type { PermissionUnit } from "./permission_unit.ts";

/** Whether a rule holds, or why that cannot be said. */
export type Match = "yes" | "no" | { readonly maybe: string };

/** Holds a rule against a part of a request. */
export function matchRule(
  rule: PermissionRule,
  request: PermissionRequest,
  unit: PermissionUnit,
): Match {
  const fits = rule.literal ? isEqual : matchGlob;
  const holds = (pattern: string | undefined, values: readonly string[]) =>
    pattern === undefined || values.some((value) => fits(pattern, value));
  const isAllow = rule.action === "allow";
  const titles = isAllow || request.title === undefined ? [] : [request.title];
  const names = [...request.tools, ...titles];
  // What restricts every tool restricts one without a name as well.
  if (!holds(rule.tool, names.length === 0 && !isAllow ? [""] : names)) return "no";
  if (isAllow && rule.literal && !isAnswered(rule, request, unit)) return "no";
  if (!holds(rule.agent, request.agent === undefined ? [] : [request.agent])) return "no";
  return all([
    matchKind(rule, unit, (kinds) => holds(rule.kind, kinds)),
    () => matchCommand(rule, unit),
    () => matchPaths(rule, request, unit),
  ]);
}

/** Whether what a remembered answer allows may be this: the same tool, and no more than was seen. */
function isAnswered(
  rule: PermissionRule,
  { tools, client }: PermissionRequest,
  unit: PermissionUnit,
): boolean {
  if (rule.tool === undefined) return tools.length === 0;
  if (rule.path !== undefined || rule.command !== undefined) return client === undefined;
  // A tool alone was allowed where it is the client's, or where it names nothing that it works on.
  return client === rule.tool || client === undefined && unit.unclear === undefined &&
      unit.commands === undefined && unit.paths.length === 0;
}

function matchKind(
  rule: PermissionRule,
  unit: PermissionUnit,
  holds: (kinds: readonly string[]) => boolean,
): () => Match {
  return () => {
    if (holds(unit.kinds)) return "yes";
    // A rule about a certain command goes by what the agent calls the call, and so does a restriction.
    const byName = rule.action !== "allow" || rule.command !== undefined;
    if (byName && holds([unit.called])) return "yes";
    return rule.action !== "allow" && rule.path !== undefined && unit.usesFilesSomehow
      ? { maybe: "it is not known what it does with its files" }
      : "no";
  };
}

function matchPaths(rule: PermissionRule, request: PermissionRequest, unit: PermissionUnit): Match {
  const { path } = rule;
  if (path === undefined) return "yes";
  const wide = rule.action !== "allow";
  const fits = rule.literal
    ? (file: string) => resolvePath(file, request) === path
    : pathMatcher(path, request, wide);
  if (!wide) {
    const told = unit.unclear === undefined &&
      (unit.commands === undefined || rule.command !== undefined);
    return told && unit.paths.length > 0 && unit.paths.every(fits) ? "yes" : "no";
  }
  if (unit.paths.some(fits) || unit.mentioned.some(fits)) return "yes";
  if (unit.suspected.some(fits)) return { maybe: "a part of it names such a file" };
  if (!rule.literal && unit.globs.some((word) => mayMatch(path, word, request))) {
    return { maybe: "a pattern in it may stand for such a file" };
  }
  if (
    [...unit.paths, ...unit.mentioned].some((file) =>
      isRelayed(file) || isRelayed(resolvePath(file, request))
    )
  ) {
    return { maybe: "it names a file by way of a process" };
  }
  return unit.unnamedFiles === undefined ? "no" : { maybe: unit.unnamedFiles };
}

/** `/proc/self/cwd/x` is another file for another process. */
function isRelayed(path: string): boolean {
  return /^\/(?:proc\/.*\/(?:cwd|root|fd|map_files)|dev\/fd)(?:\/|$)/.test(path);
}

function isEqual(a: string, b: string): boolean {
  return a === b;
}

/** Holds when all do; what does not hold comes before what may. */
function all(matches: readonly (() => Match)[]): Match {
  let result: Match = "yes";
  for (const match of matches) {
    const next = match();
    if (next === "no") return "no";
    if (next !== "yes" && result === "yes") result = next;
  }
  return result;
}
