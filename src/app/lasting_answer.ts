/**
 * An answer to a permission question that is meant to last: the rules that it stands for.
 *
 * @module
 */

import { homeDir } from "../config/paths.ts";
import { permissionRequestOf } from "../model/permission_request.ts";
import type { PermissionRule } from "../model/permission_rules.ts";
import { rulesFor } from "../model/remembered_rules.ts";
import type { PermissionOption, ToolEntry } from "../model/session.ts";

/** Where an answer was given. */
export interface AnswerPlace {
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** The agent's name in rules. */
  readonly agent?: string;
  /** Whether titles of its calls count as their commands. Default false. */
  readonly commandTitles?: boolean;
}

/**
 * The rules by which mm-repl could give the same answer itself; empty for an answer that is meant for
 * once, and for a request that cannot be known again.
 */
export function lastingRules(
  entry: ToolEntry,
  option: PermissionOption,
  { cwd, agent, commandTitles = false }: AnswerPlace,
): readonly PermissionRule[] {
  if (option.kind !== "allow_always" && option.kind !== "reject_always") return [];
  const request = permissionRequestOf({}, {
    cwd,
    home: homeDir(),
    known: entry,
    commandTitles,
    ...(agent === undefined ? {} : { agent }),
  });
  return rulesFor(request, option.kind === "allow_always" ? "allow" : "deny");
}
