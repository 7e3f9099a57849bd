/**
 * Whether a permission rule holds for a part of a request.
 *
 * Doubt counts against a rule that allows. A rule that restricts holds surely, perhaps, or not at all:
 * perhaps, when the command or the file that it is about may be what the part comes down to.
 *
 * @module
 */

import { matchGlob } from "./glob.ts";
import { matchesPath, mayMatch, resolvePath } from "./permission_path.ts";
import type { PermissionRequest } from "./permission_request.ts";
import type { PermissionRule } from "./permission_rules.ts";
import type { PermissionUnit } from "./permission_unit.ts";

/** Whether a rule holds, or why that cannot be said. */
export type Match = "yes" | "no" | { readonly maybe: string };

/** Places in a text that are tried, at most; with more the answer is that it may hold. */
const MOST_PLACES = 100;

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
  if (!holds(rule.agent, request.agent === undefined ? [] : [request.agent])) return "no";
  return all([
    matchKind(rule, unit, (kinds) => holds(rule.kind, kinds)),
    () => matchCommand(rule, unit),
    () => matchPaths(rule, request, unit),
  ]);
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

function matchCommand(rule: PermissionRule, unit: PermissionUnit): Match {
  const { command: pattern, action } = rule;
  const { commands, unclear } = unit;
  if (pattern === undefined) return "yes";
  if (commands === undefined) {
    return unclear === undefined || action === "allow" ? "no" : { maybe: unclear };
  }
  if (action === "allow" && unclear !== undefined) return "no";
  if (rule.literal) return commands.literal === pattern ? "yes" : "no";
  if (action === "allow") return matchCommandGlob(pattern, commands.exact) ? "yes" : "no";
  if (commands.readings.some((text) => matchCommandGlob(pattern, text))) return "yes";
  if (unclear !== undefined) return { maybe: unclear };
  const [name = ""] = pattern.split(/\s/);
  const sameName = commands.readings.some((text) => matchGlob(name, text.split(" ")[0] ?? ""));
  if (commands.dynamic && sameName) return { maybe: "the shell computes a part of it" };
  const folded = pattern.toLowerCase();
  if (commands.readings.some((text) => matchCommandGlob(folded, text.toLowerCase()))) {
    return { maybe: "some systems find programs in any case" };
  }
  if (commands.programs.some((words) => matchesBetweenOptions(pattern, words))) {
    return { maybe: "it has other options in between" };
  }
  return mayBegin(folded, commands.hidden.toLowerCase())
    ? { maybe: "it may run what its arguments say" }
    : "no";
}

/** A trailing ` *` takes any arguments, or none. */
function matchCommandGlob(pattern: string, text: string): boolean {
  return matchGlob(pattern, text) ||
    (pattern.endsWith(" *") && matchGlob(pattern.slice(0, -2), text));
}

/** Whether a pattern matches once options, and what may be their values, are left out: `git -C x push`. */
function matchesBetweenOptions(pattern: string, words: readonly string[]): boolean {
  const wanted = pattern.split(/\s+/).filter((word) => word !== "*");
  if (wanted.length < 2) return false;
  let at = 0;
  for (const [index, glob] of wanted.entries()) {
    const isOption = (place: number) => words[place]?.startsWith("-") ?? false;
    while (at < words.length && !matchGlob(glob, words[at] ?? "")) {
      if (index === 0 || !(isOption(at) || isOption(at - 1))) return false;
      at++;
    }
    if (at++ >= words.length) return false;
  }
  return true;
}

/** Whether a command that the pattern matches may begin somewhere in a text. */
function mayBegin(pattern: string, text: string): boolean {
  const [name = "", ...args] = pattern.split(/\s+/);
  // What begins with a star would have matched the whole text already.
  if (name.startsWith("*")) return false;
  const program = name.slice(name.lastIndexOf("/") + 1);
  const beginning = [program, ...args].join(" ").replace(/[ *]+$/, "");
  let places = 0;
  for (const { 0: word, index } of text.matchAll(/[\w.+@%~-]+/g)) {
    const starts = [index];
    // The value of an option may stand right behind its letter.
    if (/^-[a-z]./.test(word)) starts.push(index + 2);
    for (const start of starts) {
      if (!matchGlob(program, text.slice(start, index + word.length))) continue;
      if (args.length === 0 || ++places > MOST_PLACES) return true;
      if (matchGlob(`${beginning}*`, text.slice(start))) return true;
    }
  }
  return false;
}

function matchPaths(rule: PermissionRule, request: PermissionRequest, unit: PermissionUnit): Match {
  const { path } = rule;
  if (path === undefined) return "yes";
  const wide = rule.action !== "allow";
  const fits = (file: string) =>
    rule.literal ? resolvePath(file, request) === path : matchesPath(path, file, request, wide);
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
  if ([...unit.paths, ...unit.mentioned].some(isRelayed)) {
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
