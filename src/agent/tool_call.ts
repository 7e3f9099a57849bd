/**
 * Calls a client tool, from the check of its parameters to what the model reads.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import { TOOL_SESSION_KEY } from "../model/tool_manifest.ts";
import type { ClientTool } from "./client_tools.ts";
import type { Repetition } from "./loop_detector.ts";
import { isAllowed } from "./permission.ts";
import { cutOutput, readError, readResult, type ResultText, toolError } from "./result_text.ts";
import type { Turn } from "./turn.ts";

/** What the model learns from a call. */
export interface CallOutcome extends ResultText {
  readonly repetition: Repetition;
}

/** Makes one call and reports it to the client. Rejects only when the turn is cancelled. */
export async function callClientTool(
  turn: Turn,
  tool: ClientTool,
  args: JsonObject,
): Promise<CallOutcome> {
  const call = { title: `client: ${tool.name}`, kind: "other" as const, rawInput: args };
  const toolCallId = await turn.startTool({ ...call, name: tool.modelName });
  const result = await resultOf(turn, tool, args, { ...call, toolCallId });
  const text = cutOutput(result.text, turn.peer.options.maxOutput);
  const repetition = turn.loops.count(tool.modelName, args, text);
  await turn.endTool(toolCallId, text, result.failed);
  return { text, failed: result.failed, repetition };
}

async function resultOf(
  turn: Turn,
  tool: ClientTool,
  args: JsonObject,
  toolCall: { readonly toolCallId: string },
): Promise<ResultText> {
  const missing = tool.required.filter((name) => !Object.hasOwn(args, name));
  if (missing.length > 0) return toolError(`missing required parameters: ${missing.join(", ")}`);
  if (asksPermission(turn) && !await isAllowed(turn, toolCall, tool.modelName)) {
    return { text: `[${tool.modelName} rejected by user]`, failed: true };
  }
  await turn.updateTool({ toolCallId: toolCall.toolCallId, status: "in_progress" });
  try {
    const params = { ...args, _meta: { [TOOL_SESSION_KEY]: turn.session.id } };
    const { timeoutMs } = turn.peer.options;
    return readResult(
      await turn.peer.request(tool.method, params, { signal: turn.signal, timeoutMs }),
    );
  } catch (error) {
    turn.signal.throwIfAborted();
    return readError(error);
  }
}

/** `ask` asks before every call, `auto` unless the session is in mode `yolo`. */
function asksPermission(turn: Turn): boolean {
  return turn.peer.options.permissions === "ask" || turn.session.settings.mode !== "yolo";
}
