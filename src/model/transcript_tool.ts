/**
 * Tool calls in a transcript.
 *
 * @module
 */

import { sanitizeLine } from "../base/sanitize.ts";
import { codeSpan, fence } from "./markdown.ts";
import type {
  CommandEntry,
  PermissionState,
  SessionState,
  ToolContent,
  ToolEntry,
} from "./session.ts";
import { terminalOf } from "./terminals.ts";
import { rawOutputText } from "./raw_output.ts";
import { diffText } from "./tool_output.ts";
import { renderParts } from "./transcript_content.ts";
import { shownContent } from "./written_files.ts";

/** A tool call as Markdown: heading, where it works, how it was permitted, what came of it. */
export function renderTool(entry: ToolEntry, state: SessionState): string {
  const heading = `### Tool: ${codeSpan(entry.title)} (${entry.toolKind}, ${words(entry.status)})`;
  const output = shownContent(entry, state.cwd).map((item) => renderContent(item, entry, state));
  if (entry.metaOutput !== undefined) output.push(renderShell(entry.metaOutput, entry.metaExit));
  const shown = output.filter((block) => block !== "");
  if (shown.length === 0 && entry.rawOutput !== undefined) {
    shown.push(fence(rawOutputText(entry.rawOutput)));
  }
  const log = entry.log.map((line) => line.text).join("\n");
  return [heading, renderFacts(entry), log === "" ? "" : fence(log), ...shown]
    .filter((block) => block !== "").join("\n\n");
}

/** A command of the person as Markdown, with its output. */
export function renderCommand(entry: CommandEntry, state: SessionState): string {
  const terminal = terminalOf(state, entry.terminalId);
  const heading = `### Command: ${codeSpan(entry.command)}`;
  const output = terminal === undefined ? "" : renderShell(terminal.output, terminal.exit);
  return [heading, output].filter((block) => block !== "").join("\n\n");
}

function renderFacts(entry: ToolEntry): string {
  const facts = entry.locations.map(({ path, line }) =>
    `- File: ${codeSpan(line === undefined ? path : `${path}:${line}`)}`
  );
  if (entry.permission !== undefined) facts.push(renderPermission(entry.permission));
  return facts.join("\n");
}

function renderPermission({ answer, options }: PermissionState): string {
  if (answer === undefined) return "- Permission: waiting for an answer";
  const chosen = options.find((option) => option.optionId === answer.optionId);
  const what = answer.optionId === null
    ? "no option chosen"
    : `${codeSpan(chosen?.name ?? answer.optionId)}`;
  const who = {
    user: "answered by the user",
    rule: "answered by a rule",
    nobody: "nobody could be asked",
    cancel: "cancelled",
  }[answer.by];
  const why = answer.reason === undefined ? "" : `: ${sanitizeLine(answer.reason)}`;
  return `- Permission: ${what} (${who}${why})`;
}

function renderContent(item: ToolContent, entry: ToolEntry, state: SessionState): string {
  switch (item.type) {
    case "content":
      return item.content.type === "text"
        ? renderText(item.content.text)
        : renderParts([item.content]);
    case "diff":
      return renderDiff(item);
    case "terminal": {
      const terminal = terminalOf(state, item.terminalId);
      if (terminal !== undefined) return renderShell(terminal.output, terminal.exit);
      return entry.metaOutput === undefined ? "*A terminal whose output is not known*" : "";
    }
    case "unknown":
      return renderParts([item]);
  }
}

function renderText(text: string): string {
  return text.trim() === "" ? "" : fence(text);
}

function renderDiff(item: Extract<ToolContent, { type: "diff" }>): string {
  const { change, added, removed, hunks } = diffText(item.oldText, item.newText);
  const what = { new: "New file", emptied: "Emptied file", edit: "Change of" }[change];
  const head = `${what} ${codeSpan(item.path)} (+${added} −${removed})`;
  if (hunks === undefined) return `${head}: too big to be shown`;
  return hunks === "" ? head : `${head}\n\n${fence(hunks, "diff")}`;
}

function renderShell(output: string, exit: ToolEntry["metaExit"]): string {
  const end = exit === undefined || exit.exitCode === 0
    ? ""
    : exit.signal === null
    ? `*Ended with status ${exit.exitCode ?? "unknown"}*`
    : `*Ended by ${sanitizeLine(exit.signal)}*`;
  return [renderText(output), end].filter((block) => block !== "").join("\n\n");
}

function words(status: string): string {
  return status.replaceAll("_", " ");
}
