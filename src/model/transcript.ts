/**
 * A session as Markdown, for files and for people.
 *
 * @module
 */

import { sanitizeLine, sanitizeText } from "../base/sanitize.ts";
import { codeSpan, fence, quote } from "./markdown.ts";
import type {
  CompactionEntry,
  Entry,
  MessageEntry,
  NoticeEntry,
  PlanEntry,
  SessionState,
} from "./session.ts";
import { renderParts } from "./transcript_content.ts";
import { renderCommand, renderTool } from "./transcript_tool.ts";

/** The whole session as Markdown. Deterministic; foreign text is sanitised, long output shortened. */
export function renderTranscript(state: SessionState): string {
  const blocks = [renderHead(state)];
  let speaker = "";
  for (const entry of state.entries) {
    const next = entry.kind === "notice" ? speaker : speakerOf(entry);
    if (next !== speaker) blocks.push(`## ${next}`);
    // What the user says after a notice is not one with what they said before it.
    speaker = entry.kind === "notice" && next === "User" ? "" : next;
    blocks.push(renderEntry(entry, state));
  }
  return blocks.filter((block) => block !== "").join("\n\n") + "\n";
}

function renderHead(state: SessionState): string {
  const lines = [`# ${sanitizeLine(state.title ?? "") || "Session"}`, ""];
  if (state.sessionId !== "") lines.push(`- Session: ${codeSpan(state.sessionId)}`);
  lines.push(`- Directory: ${codeSpan(state.cwd)}`);
  return lines.join("\n");
}

/** Who an entry belongs to: consecutive entries of one speaker share a heading. */
function speakerOf(entry: Entry): string {
  const who = entry.kind === "user" || entry.kind === "command" ? "User" : "Agent";
  if (entry.history) return `${who} (history)`;
  return entry.turn === null ? `${who} (outside a turn)` : who;
}

function renderEntry(entry: Entry, state: SessionState): string {
  switch (entry.kind) {
    case "user":
    case "agent":
      return renderParts(entry.parts);
    case "thought":
      return renderThought(entry);
    case "tool":
      return renderTool(entry, state);
    case "plan":
      return renderPlan(entry);
    case "notice":
      return renderNotice(entry);
    case "compaction":
      return renderCompaction(entry);
    case "command":
      return renderCommand(entry, state);
    case "unknown":
      return `*An update of an unknown kind: ${codeSpan(entry.name)}*`;
  }
}

function renderThought(entry: MessageEntry): string {
  return quote(`*Thinking*\n\n${renderParts(entry.parts)}`);
}

function renderPlan(entry: PlanEntry): string {
  const steps = entry.steps.map((step) => {
    const text = sanitizeLine(step.content);
    if (step.status === "completed") return `- [x] ${text}`;
    return step.status === "in_progress" ? `- [ ] ${text} *(in progress)*` : `- [ ] ${text}`;
  });
  return [`### Plan`, "", ...steps].join("\n");
}

function renderNotice(entry: NoticeEntry): string {
  const label = { info: "Note", warning: "Warning", error: "Error" }[entry.severity];
  const detail = entry.detail === undefined ? "" : `\n\n${fence(entry.detail)}`;
  return quote(`**${label}:** ${sanitizeText(entry.text)}${detail}`);
}

function renderCompaction(entry: CompactionEntry): string {
  const head = `*Compaction of the context: ${sanitizeLine(entry.status)}*`;
  const blocks = [head, entry.summary, entry.error ?? ""]
    .map((text) => sanitizeText(text));
  return quote(blocks.filter((block) => block !== "").join("\n\n"));
}
