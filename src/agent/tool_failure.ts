/**
 * The end of one of the agent's own tool calls that the client refused.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import type { Turn } from "./turn.ts";

/** Ends a tool call with the error of a request and says so, unless it was the turn that ended. */
export async function failTool(
  turn: Turn,
  toolCallId: string,
  what: string,
  error: unknown,
): Promise<void> {
  turn.signal.throwIfAborted();
  await turn.endTool(toolCallId, messageOf(error), true);
  await turn.say(`${what}: ${messageOf(error)}\n`);
}
