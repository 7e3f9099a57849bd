/**
 * Entries in words, for places that have lines and nothing else. All lines are sanitised.
 *
 * @module
 */

import { counted } from "../base/counted.ts";
import { sanitizeLine, sanitizeText } from "../base/sanitize.ts";
import type {
  CommandEntry,
  ContentPart,
  NoticeEntry,
  PlanEntry,
  SessionState,
  ToolContent,
  ToolEntry,
} from "../model/session.ts";
import { isRefused, runTime } from "../model/tool_call.ts";
import { terminalOf } from "../model/terminals.ts";
import { verbBefore } from "../model/tool_words.ts";
import { shownContent } from "../model/written_files.ts";
import { nameLine } from "./endless.ts";
import { exitWords } from "./exit_words.ts";

/** Lines of a tool's output that are shown, at most. */
const OUTPUT_LINES = 10;
/** And of the output of a command of the person. */
const COMMAND_LINES = 200;

/** Characters of one of them that are shown. */
const LINE_LENGTH = 2_000;

/** A length of time for people: `0.4 s`, `12 s`, `3 min 5 s`. */
function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

/** `Tool: run npm test`. */
export function toolName(entry: ToolEntry): string {
  const title = nameLine(entry.title);
  return `Tool: ${verbBefore(entry.toolKind, title)}${title}`;
}

/** How a tool call ended, in one line; how a permission was answered belongs to it. */
export function toolEndLine(entry: ToolEntry): string {
  const took = entry.endedAt === undefined
    ? ""
    : ` after ${formatDuration(runTime(entry, entry.endedAt))}`;
  const answer = entry.permission?.answer;
  const refused = answer !== undefined && !isAllowed(entry)
    ? `, permission refused${answer.reason === undefined ? "" : `: ${sanitizeLine(answer.reason)}`}`
    : "";
  return `${toolName(entry)}: ${STATUS_WORDS[entry.status]}${took}${refused}`;
}

const STATUS_WORDS: Readonly<Record<ToolEntry["status"], string>> = {
  pending: "waiting",
  in_progress: "running",
  completed: "done",
  failed: "failed",
  cancelled: "cancelled",
};

function isAllowed({ permission }: ToolEntry): boolean {
  const chosen = permission?.options.find(({ optionId }) =>
    optionId === permission.answer?.optionId
  );
  return chosen !== undefined && !chosen.kind.startsWith("reject");
}

/** A line of output, or the beginning of an endless one. */
function shortLine(line: string): string {
  const more = line.length - LINE_LENGTH;
  return more <= 0 ? line : `${line.slice(0, LINE_LENGTH)}… ${more} more characters`;
}

/** What stands for the reason of a failed call of which nothing else is shown. */
export function unexplained(entry: ToolEntry): readonly string[] {
  return entry.status === "failed" && !isRefused(entry) ? ["the agent did not say why"] : [];
}

/** What a tool call gave, bounded and indented. */
export function toolOutputLines(entry: ToolEntry, state: SessionState): readonly string[] {
  const content = shownContent(entry, state.cwd);
  const lines = content.flatMap((one) => contentLines(one, state));
  // A change does not say why it could not be made.
  const failed = entry.status === "failed";
  const silent = lines.length === 0 || failed && content.every(({ type }) => type === "diff");
  const raw = silent ? rawLines(entry.rawOutput) : [];
  const why = silent && raw.length === 0 ? unexplained(entry) : [];
  const shown = [...lines, ...raw, ...why];
  const hidden = shown.length - OUTPUT_LINES;
  return [
    ...shown.slice(0, OUTPUT_LINES).map(shortLine),
    ...(hidden > 0 ? [`… ${hidden} more ${hidden === 1 ? "line" : "lines"}`] : []),
  ].map(indent);
}

/** A command of the person: how it ended, and the end of its output. */
export function commandLines(entry: CommandEntry, state: SessionState): readonly string[] {
  const terminal = terminalOf(state, entry.terminalId);
  const lines = textLines(terminal?.output ?? "");
  const hidden = Math.max(0, lines.length - COMMAND_LINES);
  return [
    `Command: ${sanitizeLine(entry.command)}: ${exitWords(terminal?.exit)}`,
    ...[
      ...(hidden > 0 ? [`… ${counted(hidden, "line")} before these`] : []),
      ...lines.slice(hidden).map(shortLine),
    ].map(indent),
  ];
}

function contentLines(
  content: ToolContent,
  state: SessionState,
): readonly string[] {
  switch (content.type) {
    case "content":
      return textLines(partText(content.content));
    case "diff": {
      const after = counted(lineCount(content.newText), "line");
      const path = nameLine(content.path);
      if (content.oldText === undefined) return [`new file ${path}, ${after}`];
      return [`${path}: ${counted(lineCount(content.oldText), "line")} before, ${after} after`];
    }
    case "terminal":
      return textLines(terminalOf(state, content.terminalId)?.output ?? "");
    case "unknown":
      return [`[${nameLine(content.name)}]`];
  }
}

function rawLines(output: unknown): readonly string[] {
  if (output === undefined || output === null) return [];
  return textLines(typeof output === "string" ? output : JSON.stringify(output, null, 2));
}

function lineCount(text: string): number {
  if (text === "") return 0;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** The parts of a message as text; what is not text is named. Not sanitised. */
export function partsText(parts: readonly ContentPart[]): string {
  return parts.map(partText).join("");
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type}, ${part.mimeType}, ${Math.floor(part.data.length * 3 / 4)} bytes]`;
    case "resource_link":
      return `[${part.title ?? part.name}: ${part.uri}]`;
    case "resource":
      return part.text ?? `[${part.uri}]`;
    case "unknown":
      return `[${part.name}]`;
  }
}

/** What a client tool says about its running call, under that. */
export function toolLogLines(tool: string, text: string): readonly string[] {
  return textLines(text).map((line) => `  ${sanitizeLine(tool)}: ${line}`);
}

/** A text as sanitised lines, without empty ones at the end. */
export function textLines(text: string): readonly string[] {
  const clean = sanitizeText(text).trimEnd();
  return clean === "" ? [] : clean.split("\n");
}

/** A notice: what kind, what it says, and what more there is to it. */
export function noticeLines(entry: NoticeEntry): readonly string[] {
  const [first = "", ...rest] = textLines(entry.text);
  const detail = textLines(entry.detail ?? "");
  return [`${NOTICE_WORDS[entry.severity]}: ${first}`, ...[...rest, ...detail].map(indent)];
}

const NOTICE_WORDS: Readonly<Record<NoticeEntry["severity"], string>> = {
  info: "Note",
  warning: "Warning",
  error: "Error",
};

/** A plan as a list. */
export function planLines(entry: PlanEntry): readonly string[] {
  return [
    "Plan:",
    ...entry.steps.map(({ status, content }) =>
      `  [${PLAN_WORDS.get(status) ?? sanitizeLine(status)}] ${sanitizeLine(content)}`
    ),
  ];
}

const PLAN_WORDS: ReadonlyMap<string, string> = new Map([
  ["pending", "to do"],
  ["in_progress", "doing"],
  ["completed", "done"],
]);

function indent(line: string): string {
  return `  ${line}`;
}
