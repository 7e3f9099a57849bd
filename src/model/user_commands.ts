/**
 * Commands that the person runs beside the conversation.
 *
 * @module
 */

import { appendEntry, findEntry, putCall } from "./entries.ts";
import type { SessionState } from "./session.ts";
import type { SessionEvent } from "./session_event.ts";
import { addTerminal } from "./terminals.ts";

/** Adds a command that has just been started, with its terminal. */
export function startCommand(
  state: SessionState,
  { terminalId, command, shared }: Extract<SessionEvent, { type: "command_started" }>,
  at: number,
): SessionState {
  const body = { kind: "command" as const, terminalId, command, shared };
  return appendEntry(addTerminal(state, terminalId, command), body, at, "call");
}

/** Makes the command of a terminal final; a terminal of the agent changes nothing. */
export function endCommand(state: SessionState, terminalId: string, at: number): SessionState {
  const entry = findEntry(state, `command ${terminalId}`);
  return entry?.kind === "command" ? putCall(state, { ...entry, endedAt: at }) : state;
}
