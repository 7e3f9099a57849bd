/**
 * The rules that an answer which is to last comes down to.
 *
 * @module
 */

import { asString, isObject } from "../base/guards.ts";
import { optional } from "./content.ts";
import { resolvePath } from "./permission_path.ts";
import type { PermissionRequest } from "./permission_request.ts";
import type { PermissionAction, PermissionRule } from "./permission_rules.ts";
import { type PermissionUnit, unitsOf } from "./permission_unit.ts";

/** Kinds that say what is done with a file, whichever tool does it. */
const FILE_KINDS: ReadonlySet<string> = new Set(["read", "edit", "delete", "move", "search"]);

/**
 * Rules that answer exactly this request again: one for each command or file in it, or one for the
 * tool, whatever its arguments; all literal. A client tool is always remembered by its name. Empty
 * when what would be done is not known well enough to be said in advance.
 */
export function rulesFor(
  request: PermissionRequest,
  action: "allow" | "deny",
): readonly PermissionRule[] {
  if (request.client !== undefined) {
    return [{ ...basis(request, action), tool: request.client }];
  }
  const parts = unitsOf(request);
  const worthy = parts.filter(({ incidental }) => !incidental);
  const units = worthy.length > 0 ? worthy : parts;
  const rules = units.flatMap((unit) => ruleOf(request, unit, action) ?? []);
  return rules.length < units.length ? [] : rules;
}

function ruleOf(
  request: PermissionRequest,
  unit: PermissionUnit,
  action: "allow" | "deny",
): PermissionRule | undefined {
  const [tool] = request.tools;
  // Yes is said to this tool alone; no is meant for whatever else would do the same.
  const base = {
    ...basis(request, action),
    ...optional("tool", action === "allow" ? tool : undefined),
  };
  if (unit.unclear !== undefined) return undefined;
  if (unit.commands !== undefined) {
    // What a variable or a glob stands for may be another thing the next time.
    const { literal } = unit.commands;
    return literal === undefined ? undefined : { ...base, kind: request.kind, command: literal };
  }
  const [path, ...others] = unit.paths;
  if (others.length > 0) return undefined;
  if (path !== undefined) {
    const kind = unit.kinds.at(-1) ?? request.kind;
    // What another call does to the file is not known where neither its name nor its kind says it.
    if (tool === undefined && !FILE_KINDS.has(kind)) return undefined;
    return { ...base, kind, path: resolvePath(path, request) };
  }
  return tool === undefined ? undefined : { ...base, tool };
}

function basis({ agent }: PermissionRequest, action: "allow" | "deny") {
  return { ...optional("agent", agent), action, literal: true, origin: "remembered" } as const;
}

const CONDITIONS = ["kind", "tool", "path", "command", "agent"] as const;

/** Reads a rule that was stored; `undefined` for anything that is not one, or that matches all. */
export function parseRememberedRule(value: unknown): PermissionRule | undefined {
  if (!isObject(value)) return undefined;
  const { action } = value;
  if (action !== "allow" && action !== "deny") return undefined;
  const conditions = CONDITIONS.flatMap((key) => {
    const text = asString(value[key]);
    return text === undefined ? [] : [[key, text] as const];
  });
  const narrow = conditions.some(([key]) => key !== "agent" && key !== "kind");
  if (!narrow || conditions.length < CONDITIONS.filter((key) => key in value).length) {
    return undefined;
  }
  const { kind, tool, path } = Object.fromEntries(conditions);
  if (action === "allow" && path !== undefined && tool === undefined) {
    if (kind === undefined || !FILE_KINDS.has(kind)) return undefined;
  }
  return {
    ...Object.fromEntries(conditions),
    action: action satisfies PermissionAction,
    literal: true,
    origin: "remembered",
  };
}
