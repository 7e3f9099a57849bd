/**
 * Pieces of Markdown around text that is not ours: whatever the text contains, it stays inside.
 *
 * @module
 */

import { sanitizeLine, sanitizeText } from "../base/sanitize.ts";

/** Lines of one fenced block that are shown. */
const LINES_SHOWN = 200;
/** Characters of one line that are shown. */
const LINE_LENGTH = 2000;

/** A fenced block. The middle of long text is left out and counted. */
export function fence(text: string, language = ""): string {
  const lines = sanitizeText(text).replace(/\n+$/, "").split("\n").map(cutLine);
  const left = lines.length - LINES_SHOWN;
  const shown = left <= 0 ? lines : [
    ...lines.slice(0, LINES_SHOWN / 2),
    `… ${left} lines left out …`,
    ...lines.slice(-LINES_SHOWN / 2),
  ];
  const body = shown.join("\n");
  const marks = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${marks}${language}\n${body}\n${marks}`;
}

/** A code span of one line. */
export function codeSpan(text: string): string {
  const line = cutLine(sanitizeLine(text).trim());
  if (line === "") return "` `";
  const marks = "`".repeat(longestRun(line) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${marks}${pad}${line}${pad}${marks}`;
}

/** A block quote. */
export function quote(markdown: string): string {
  return markdown.split("\n").map((line) => line === "" ? ">" : `> ${line}`).join("\n");
}

/** A link that shows its target where that differs from its name. */
export function link(name: string, uri: string): string {
  const label = sanitizeLine(name).replace(/[\\[\]]/g, "\\$&");
  const target = sanitizeLine(uri).replace(/[<>\\\s]/g, (char) => encodeURIComponent(char));
  return `[${label}](<${target}>)`;
}

function cutLine(line: string): string {
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH).toWellFormed()}…` : line;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
