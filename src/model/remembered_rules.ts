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

/**
 * Rules that answer exactly this request again: one for each command, file or tool in it, all
 * literal. Empty when what would be done is not known well enough to be said in advance.
 */
export function rulesFor(
  request: PermissionRequest,
  action: "allow" | "deny",
): readonly PermissionRule[] {
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
  const base = {
    ...optional("agent", request.agent),
    action,
    literal: true,
    origin: "remembered",
  } as const;
  if (unit.unclear !== undefined) return undefined;
  if (unit.commands !== undefined) {
    // What a variable or a glob stands for may be another thing the next time.
    const { literal } = unit.commands;
    return literal === undefined ? undefined : { ...base, kind: request.kind, command: literal };
  }
  const [path, ...others] = unit.paths;
  if (others.length > 0) return undefined;
  if (path !== undefined) {
    return { ...base, kind: unit.kinds.at(-1) ?? request.kind, path: resolvePath(path, request) };
  }
  const [tool] = request.tools;
  return tool === undefined ? undefined : { ...base, tool };
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
  return {
    ...Object.fromEntries(conditions),
    action: action satisfies PermissionAction,
    literal: true,
    origin: "remembered",
  };
}
