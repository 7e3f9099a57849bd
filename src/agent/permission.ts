/**
 * Asks the client for permission.
 *
 * @module
 */

import type { PermissionOption, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { asObject } from "../base/guards.ts";
import type { Turn } from "./turn.ts";

/** The choices before a call, a write or a command. */
const OPTIONS: readonly PermissionOption[] = [
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Allow for this session", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
];

/**
 * Asks a question with the given choices. Gives the chosen one, or `undefined` when the client
 * cancelled the question, answered with an unknown choice or with an error.
 */
export async function askPermission(
  turn: Turn,
  toolCall: ToolCallUpdate,
  options: readonly PermissionOption[],
): Promise<PermissionOption | undefined> {
  let answer: unknown;
  try {
    answer = await turn.request("session/request_permission", { toolCall, options });
  } catch {
    turn.signal.throwIfAborted();
    return undefined;
  }
  const { outcome, optionId } = asObject(asObject(answer).outcome);
  if (outcome !== "selected") return undefined;
  return options.find((option) => option.optionId === optionId);
}

/**
 * True when the action may go ahead: it was allowed, now or earlier for the whole session.
 *
 * @param scope what "for this session" covers, e.g. one tool
 */
export async function isAllowed(
  turn: Turn,
  toolCall: ToolCallUpdate,
  scope: string,
): Promise<boolean> {
  if (turn.session.allowed.has(scope)) return true;
  const choice = await askPermission(turn, toolCall, OPTIONS);
  if (choice?.kind === "allow_always") turn.session.allowed.add(scope);
  return choice?.kind === "allow_once" || choice?.kind === "allow_always";
}
