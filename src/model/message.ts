/**
 * Messages of the user, the agent and its thinking: how chunks join, and when a message is final.
 *
 * A message takes chunks until one of another kind or `messageId`, a tool call, a plan, a
 * compaction, or the end of the turn follows. Notices and unknown updates do not end it: they come
 * from the side.
 *
 * @module
 */

import { asString, type JsonObject } from "../base/guards.ts";
import { optional, parseContent, textOf, wellFormed } from "./content.ts";
import { appendEntry, openMessage, putEntry, withOpen } from "./entries.ts";
import { growText } from "./growing_text.ts";
import { endPlan } from "./plan.ts";
import type { ContentPart, MessageEntry, SessionState } from "./session.ts";

/** Takes a message chunk. Chunks without content change nothing. */
export function addChunk(
  state: SessionState,
  kind: MessageEntry["kind"],
  update: JsonObject,
  at: number,
): SessionState {
  const parts = parseContent(update.content);
  if (parts.length === 0) return state;
  if (kind === "user" && isEcho(state, parts)) return state;
  const messageId = asString(update.messageId);
  const open = openMessage(state);
  if (open?.kind === kind && (messageId === undefined || messageId === open.messageId)) {
    return growMessage(state, open, parts);
  }
  const settled = kind === "user" ? endPlan(state, at) : state;
  const body = { kind, parts: parts.reduce(joinPart, []), ...optional("messageId", messageId) };
  const next = appendEntry(settled, body, at, "message");
  return kind === "user" ? withPrompt(next) : next;
}

function growMessage(
  state: SessionState,
  message: MessageEntry,
  added: readonly ContentPart[],
): SessionState {
  let { parts } = message;
  let { growing } = state.open;
  for (const part of added) {
    const last = parts.at(-1);
    if (last?.type === "text" && part.type === "text") {
      growing = growText(growing ?? { settled: last.text, newest: "" }, part.text);
      const text = growing.settled + growing.newest;
      parts = [...parts.slice(0, -1), { type: "text", text }];
    } else {
      growing = undefined;
      parts = [...parts, part];
    }
  }
  return withOpen(putEntry(state, { ...message, parts }), { ...state.open, growing });
}

/** Adds the user's own prompt. */
export function addPrompt(
  state: SessionState,
  blocks: readonly unknown[],
  at: number,
): SessionState {
  const parts = parseContent(blocks).reduce(joinPart, []).map(wellFormed);
  return withPrompt(appendEntry(state, { kind: "user", parts }, at, "none"));
}

/** Notes that the newest entry is the user's. */
function withPrompt(state: SessionState): SessionState {
  return withOpen(state, { ...state.open, prompt: state.entries.length - 1 });
}

/**
 * Agents may send the user's prompt back. In a turn, everything of the user's that comes before the
 * agent has said or done anything is that echo, and so is, later, the whole prompt once more.
 */
function isEcho(state: SessionState, parts: readonly ContentPart[]): boolean {
  const index = state.open.prompt;
  const prompt = index === undefined ? undefined : state.entries.at(index);
  if (state.replaying || prompt?.kind !== "user" || prompt.history) return false;
  if (prompt.endedAt === undefined) return false;
  if (textOf(parts) !== "" && textOf(parts) === textOf(prompt.parts)) return true;
  if (state.turn.state !== "running" || prompt.turn !== state.turn.number) return false;
  return state.open.message === undefined && nothingSince(state, prompt.index);
}

/** True when only notices and unknown updates, at most a few, follow the entry. */
function nothingSince(state: SessionState, index: number): boolean {
  if (state.entries.length - index > 32) return false;
  for (const entry of state.entries.from(index + 1)) {
    if (!["notice", "unknown", "command"].includes(entry.kind)) return false;
  }
  return true;
}

function joinPart(parts: readonly ContentPart[], part: ContentPart): readonly ContentPart[] {
  const last = parts.at(-1);
  return last?.type === "text" && part.type === "text"
    ? [...parts.slice(0, -1), { type: "text", text: last.text + part.text }]
    : [...parts, part];
}
