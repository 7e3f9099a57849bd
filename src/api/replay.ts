/**
 * Where the history of a loaded session ends.
 *
 * @module
 */

import { asObject } from "../base/guards.ts";

/** How long nothing may come before a history counts as complete, in milliseconds. */
export const QUIET_MS = 100;

/** How long a history is waited for that has not begun, or stops at a question. */
const BEGINNING_MS = 1_000;

/** How long a history that comes after its answer is waited for at most. */
const LATEST_MS = 3_000;

/** What has come of a history, by its last message. */
export type HistoryPart = "nothing" | "question" | "answer";

/** What has come of a history after an update. */
export function historyPart(before: HistoryPart, update: unknown): HistoryPart {
  switch (asObject(update).sessionUpdate) {
    case "user_message_chunk":
      return "question";
    case "agent_message_chunk":
    case "agent_thought_chunk":
    case "tool_call":
    case "tool_call_update":
    case "plan":
      return "answer";
    default:
      return before;
  }
}

/** A history that is coming in. */
export interface ComingHistory {
  /** Number of updates so far. */
  readonly updates: number;
  readonly history: HistoryPart;
}

/**
 * Waits until nothing more has come for 100 ms, for 1 s where the history has not begun or stops at a
 * question, 3 s at most: there is no other sign by which the end of a history that follows the answer
 * to `session/load` can be known.
 */
export async function awaitQuiet(coming: ComingHistory): Promise<void> {
  const latest = performance.now() + LATEST_MS;
  let { updates } = coming;
  let since = performance.now();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const now = performance.now();
    if (coming.updates !== updates) [updates, since] = [coming.updates, now];
    const enough = coming.history === "answer" ? QUIET_MS : BEGINNING_MS;
    // Timers may be early by a fraction.
    if (now - since >= enough - 1 || now >= latest) return;
  }
}
