/**
 * A session's transcript as a file.
 *
 * @module
 */

import { sanitizeLine, sanitizeText } from "../base/sanitize.ts";
import { codeBlock } from "./markdown.ts";
import type { ContentPart, Entry, SessionState, ToolContent, ToolEntry } from "../model/session.ts";

/** The transcript as JSON: the session's id, directory, title and its entries as they are. */
export function exportJson(state: SessionState): string {
  const { sessionId, cwd, title, entries, usage } = state;
  return `${JSON.stringify({ sessionId, cwd, title, usage, entries: [...entries] }, null, 2)}\n`;
}

/** The transcript as Markdown, without control characters. */
export function exportMarkdown(state: SessionState): string {
  const title = sanitizeLine(state.title ?? state.sessionId);
  const head = `# ${title === "" ? "Session" : title}\n\nDirectory: ${sanitizeLine(state.cwd)}`;
  const parts = [...state.entries].map(renderEntry).filter((part) => part !== "");
  return `${[head, ...parts].map((part) => sanitizeText(part)).join("\n\n")}\n`;
}

function renderEntry(entry: Entry): string {
  switch (entry.kind) {
    case "user":
      return `## You\n\n${renderParts(entry.parts)}`;
    case "agent":
      return `## Agent\n\n${renderParts(entry.parts)}`;
    case "thought":
      return quote(`Thought: ${renderParts(entry.parts)}`);
    case "tool":
      return renderTool(entry);
    case "plan":
      return entry.steps.map(({ status, content }) =>
        `- [${status === "completed" ? "x" : " "}] ${content}`
      ).join("\n");
    case "notice":
      return quote([`${entry.severity}: ${entry.text}`, entry.detail ?? ""].join("\n").trim());
    case "compaction":
      return quote(`Context compacted (${entry.status}): ${entry.summary}`);
    case "unknown":
      return quote(`Unknown update: ${entry.name}`);
  }
}

function renderTool(entry: ToolEntry): string {
  const answer = entry.permission?.answer;
  return [
    `### Tool: ${sanitizeLine(entry.title)} (${entry.toolKind}, ${entry.status})`,
    ...(answer === undefined
      ? []
      : [`Permission: ${answer.optionId ?? "cancelled"}, by ${answer.by}`]),
    ...(entry.rawInput === undefined
      ? []
      : [codeBlock(JSON.stringify(entry.rawInput, null, 2) ?? "", "json")]),
    ...entry.content.map(renderContent),
    ...(entry.content.length === 0 && entry.rawOutput !== undefined
      ? [codeBlock(JSON.stringify(entry.rawOutput, null, 2) ?? "", "json")]
      : []),
  ].join("\n\n");
}

function renderContent(content: ToolContent): string {
  switch (content.type) {
    case "content":
      return content.content.type === "text"
        ? codeBlock(content.content.text)
        : renderPart(content.content);
    case "diff":
      return `${content.oldText === undefined ? "New file" : "Changed"}: ${content.path}\n\n${
        codeBlock(content.newText)
      }`;
    case "terminal":
      return `Terminal ${content.terminalId}`;
    case "unknown":
      return `Unknown content: ${content.name}`;
  }
}

function renderParts(parts: readonly ContentPart[]): string {
  return parts.map(renderPart).join("");
}

function renderPart(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `\n[${part.type}: ${part.mimeType}]\n`;
    case "resource_link":
      return `\n[${part.name}](${part.uri})\n`;
    case "resource":
      return `\n[${part.uri}](${part.uri})\n`;
    case "unknown":
      return `\n[${part.name}]\n`;
  }
}

function quote(text: string): string {
  return text.split("\n").map((line) => `> ${line}`).join("\n");
}
