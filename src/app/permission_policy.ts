/**
 * The answers to permission requests that need no person.
 *
 * @module
 */

import type { PermissionPolicy, PolicyDecision } from "../api/contract.ts";
import { asObject, asString } from "../base/guards.ts";
import { parsePermissionRequest } from "../client/permissions.ts";
import { homeDir } from "../config/paths.ts";
import { permissionRequestOf } from "../model/permission_request.ts";
import {
  chooseOption,
  decidePermission,
  defaultPolicy,
  type PermissionRule,
} from "../model/permission_rules.ts";
import type { SessionState, ToolEntry } from "../model/session.ts";
import type { PermissionDefault } from "./options.ts";
import { followLinks } from "./permission_links.ts";
import type { Refusal } from "./view.ts";

/** Why something is refused that no rule decides. */
export const UNASKED = "nobody can be asked";
export const DENIED = "permissions are set to deny";

/** What the policy depends on. */
export interface PermissionPolicyOptions {
  /** Those of a session; they come before the default. */
  readonly rules: (sessionId: string) => readonly PermissionRule[];
  /** The default, which may change while the program runs. */
  readonly permissions: () => PermissionDefault;
  /** Somebody can be asked. */
  readonly interactive: boolean;
  /** The agent's name in rules. */
  readonly agent?: string;
  /** Whether titles of calls count as their commands. Default false. */
  readonly commandTitles?: boolean;
  readonly session: (sessionId: string) => SessionState | undefined;
  /** Told of what the default refuses, and what would have been asked, where there is nobody. */
  readonly refused: (refusal: Refusal, sessionId: string) => void;
}

/** Decides by the rules and the default. What is left to a person is refused when there is none. */
export function permissionPolicy(options: PermissionPolicyOptions): PermissionPolicy {
  return async ({ sessionId, params }): Promise<PolicyDecision> => {
    const { toolCall, options: choices } = parsePermissionRequest(params);
    const session = options.session(sessionId);
    const known = findCall(session, asString(asObject(toolCall).toolCallId));
    const own = options.rules(sessionId);
    const request = await followLinks(
      own,
      permissionRequestOf(toolCall, {
        cwd: session?.cwd ?? "/",
        home: homeDir(),
        ...(options.agent === undefined ? {} : { agent: options.agent }),
        ...(known === undefined ? {} : { known }),
        commandTitles: options.commandTitles ?? false,
      }),
    );
    const rules = [...own, ...defaultPolicy(options.permissions())];
    const { action, rule, reason } = decidePermission(rules, request);
    if (action === "allow") {
      const option = chooseOption(choices, "allow");
      if (option !== null) return { optionId: option.optionId, by: "rule", reason };
    }
    const refusal = chooseOption(choices, "deny")?.optionId ?? null;
    if (action !== "deny" && options.interactive) return undefined;
    if (action !== "deny" || rule?.origin === "default" && !options.interactive) {
      const title = asString(toolCall.title) ?? known?.title ?? "a tool call";
      const reads = decidePermission([...own, ...defaultPolicy("reads")], request);
      const least = reads.action === "allow" ? "reads" : "allow";
      const why = action === "deny" ? DENIED : UNASKED;
      const message = `Refused "${title}": ${why}`;
      options.refused({ message, hint: `--permissions ${least} permits it` }, sessionId);
    }
    return action === "deny"
      ? { optionId: refusal, by: "rule", reason }
      : { optionId: refusal, by: "nobody", reason: "nobody could be asked" };
  };
}

function findCall(
  session: SessionState | undefined,
  toolCallId: string | undefined,
): ToolEntry | undefined {
  if (session === undefined || toolCallId === undefined) return undefined;
  const index = session.open.positions.get(`tool ${toolCallId}`);
  const entry = index === undefined ? undefined : session.entries.at(index);
  return entry?.kind === "tool" ? entry : undefined;
}
