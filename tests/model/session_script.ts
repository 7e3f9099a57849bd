/**
 * Short ways to write what happens to a session.
 *
 * @module
 */

import type { NewSessionEvent } from "../../src/model/session_store.ts";
import { initialSession, reduceSession } from "../../src/model/reduce.ts";
import type { Entry, SessionEvent, SessionState, ToolEntry } from "../../src/model/session.ts";

/** The session after events; each happens one millisecond after the other. */
export function play(
  events: readonly NewSessionEvent[],
  state: SessionState = initialSession("/home/user/project"),
): SessionState {
  return events.reduce(
    (next, event, index) => reduceSession(next, { ...event, at: index } as SessionEvent),
    state,
  );
}

/** An update of the agent. */
export function update(value: unknown): NewSessionEvent {
  return { type: "update_received", update: value };
}

/** A text chunk. */
export function chunk(text: string, kind = "agent_message_chunk", messageId?: string) {
  const content = { type: "text", text };
  return update({
    sessionUpdate: kind,
    content,
    ...(messageId === undefined ? {} : { messageId }),
  });
}

/** A `tool_call`. */
export function call(toolCallId: string, fields: Record<string, unknown> = {}): NewSessionEvent {
  return update({ sessionUpdate: "tool_call", toolCallId, ...fields });
}

/** A `tool_call_update`. */
export function progress(toolCallId: string, fields: Record<string, unknown> = {}) {
  return update({ sessionUpdate: "tool_call_update", toolCallId, ...fields });
}

/** A prompt of the user. */
export function prompt(text: string): NewSessionEvent {
  return { type: "prompt_sent", blocks: [{ type: "text", text }] };
}

/** The end of a turn. */
export function end(stopReason = "end_turn"): NewSessionEvent {
  return { type: "turn_ended", outcome: { ok: true, stopReason } };
}

/** Every entry in short: kind and text, or kind, title and status. */
export function brief(state: SessionState): readonly string[] {
  return [...state.entries].map(briefEntry);
}

/** The tool entries, in order. */
export function tools(state: SessionState): readonly ToolEntry[] {
  return [...state.entries].filter((entry) => entry.kind === "tool");
}

function briefEntry(entry: Entry): string {
  switch (entry.kind) {
    case "user":
    case "agent":
    case "thought": {
      const parts = entry.parts.map((part) => part.type === "text" ? part.text : `[${part.type}]`);
      return `${entry.kind}: ${parts.join("")}`;
    }
    case "tool":
      return `tool: ${entry.title} ${entry.status}`;
    case "plan":
      return `plan: ${entry.steps.map((step) => `${step.content} ${step.status}`).join(", ")}`;
    case "notice":
      return `${entry.severity}: ${entry.text}`;
    case "compaction":
      return `compaction: ${entry.status} ${entry.summary}`;
    case "command":
      return `command: ${entry.command}`;
    case "unknown":
      return `unknown: ${entry.name}`;
  }
}
