/**
 * Tool calls within a session: announcing, updating, asking, logging, and closing those that a turn
 * leaves open.
 *
 * @module
 */

import { asObject, type JsonObject } from "../base/guards.ts";
import { abandonCompaction } from "./compaction.ts";
import { appendEntry, findEntry, putCall } from "./entries.ts";
import type {
  PermissionAnswer,
  PermissionState,
  SessionState,
  ToolEntry,
  ToolLogLine,
} from "./session.ts";
import {
  abandonTool,
  announceAgain,
  isRefused,
  newTool,
  parseToolCallId,
  parseToolPatch,
  settleTool,
  updateTool,
} from "./tool_call.ts";
import { modelToolName } from "./tool_manifest.ts";

const LOG_LINES = 200;
const LOG_LINE_LENGTH = 4096;

/** Takes a `tool_call`. */
export function announceCall(state: SessionState, update: JsonObject, at: number): SessionState {
  const entry = findToolCall(state, parseToolCallId(update));
  if (entry === undefined || isReused(state, entry)) return addCall(state, update, at);
  return putCall(state, settleTool(announceAgain(entry, parseToolPatch(update)), at));
}

/** Takes a `tool_call_update`; a call that was never announced is created by it. */
export function updateCall(state: SessionState, update: JsonObject, at: number): SessionState {
  const entry = findToolCall(state, parseToolCallId(update));
  if (entry === undefined) return addCall(state, update, at);
  return putCall(state, settleTool(updateTool(entry, parseToolPatch(update)), at));
}

/** Makes a call wait for a permission; a call that was never announced is created by it. */
export function askPermission(
  state: SessionState,
  toolCall: unknown,
  permission: PermissionState,
): SessionState {
  const call = asObject(toolCall);
  const id = parseToolCallId(call);
  // Questions without an id cannot be about the same call.
  const take = id === "" ? addCall : updateCall;
  const next = take(state, call, permission.askedAt);
  const entry = findToolCall(next, id);
  if (entry === undefined) return next;
  const diffs = entry.content.filter(({ type }) => type === "diff");
  const asked = diffs.length === 0 ? permission : { ...permission, diffs };
  return putCall(next, settleTool({ ...entry, permission: asked }, permission.askedAt));
}

/** Settles a waiting permission; one that does not wait (any more) changes nothing. */
export function answerPermission(
  state: SessionState,
  requestId: string,
  answer: PermissionAnswer,
  at: number,
): SessionState {
  for (const entry of openCalls(state)) {
    const { permission } = entry;
    if (permission?.requestId !== requestId || permission.answer !== undefined) continue;
    const answered = { ...permission, answer, answeredAt: at };
    return putCall(state, settleTool({ ...entry, permission: answered }, at));
  }
  return state;
}

/**
 * Puts a line of a client tool under its running call: the newest open one that bears the
 * tool's name, else the newest one in progress, else the newest open one. Without any the
 * line is dropped.
 */
export function logTool(state: SessionState, tool: string, line: ToolLogLine): SessionState {
  const calls = openCalls(state);
  const entry = calls.find((call) => isCallOf(call, tool)) ??
    calls.find((call) => call.status === "in_progress") ?? calls[0];
  if (entry === undefined) return state;
  const text = line.text.length > LOG_LINE_LENGTH
    ? `${line.text.slice(0, LOG_LINE_LENGTH).toWellFormed()}…`
    : line.text;
  const log = [...entry.log.slice(1 - LOG_LINES), { kind: line.kind, text }];
  return putCall(state, { ...entry, log });
}

/**
 * Closes the calls that were refused, but for the one with the id `except`: the agent has gone on
 * without them. It may still say how they ended.
 */
export function closeRefused(state: SessionState, at: number, except?: string): SessionState {
  return openCalls(state).reduce(
    (next, entry) =>
      entry.toolCallId !== except && isRefused(entry)
        ? putCall(next, abandonTool(entry, at))
        : next,
    state,
  );
}

/** Closes every tool call and compaction that is still open. */
export function abandonCalls(state: SessionState, at: number): SessionState {
  return state.open.calls.reduce((next, index) => {
    const entry = next.entries.at(index);
    if (entry?.kind === "tool") return putCall(next, abandonTool(entry, at));
    return entry?.kind === "compaction" ? putCall(next, abandonCompaction(entry, at)) : next;
  }, state);
}

function addCall(state: SessionState, update: JsonObject, at: number): SessionState {
  const body = newTool(parseToolCallId(update), parseToolPatch(update));
  const next = appendEntry(state, body, at, "call");
  const entry = next.entries.at(-1);
  return entry?.kind === "tool" ? putCall(next, settleTool(entry, at)) : next;
}

/** The newest tool call with this id, at a cost that does not depend on the session's length. */
function findToolCall(state: SessionState, toolCallId: string): ToolEntry | undefined {
  const entry = findEntry(state, `tool ${toolCallId}`);
  return entry?.kind === "tool" ? entry : undefined;
}

/**
 * Some agents count their ids anew in every turn, or leave them empty. An announcement with the id
 * of a call that has ended is a new call when the user has spoken since, or when the id is empty.
 */
function isReused(state: SessionState, entry: ToolEntry): boolean {
  if (entry.endedAt === undefined) return false;
  return entry.toolCallId === "" || (state.open.prompt ?? -1) > entry.index;
}

/** The open tool calls, the newest first. */
export function openCalls(state: SessionState): readonly ToolEntry[] {
  return state.open.calls.toReversed().flatMap((index) => {
    const entry = state.entries.at(index);
    return entry?.kind === "tool" ? [entry] : [];
  });
}

function isCallOf(entry: ToolEntry, tool: string): boolean {
  return [modelToolName(tool), `client: ${tool}`].some((name) =>
    [entry.name, entry.title].some((text) => text !== undefined && hasWord(text, name))
  );
}

/** True when `word` stands in `text` and the text does not go on with the same word. */
function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !/^\w/.test(text.slice(at + word.length));
}
