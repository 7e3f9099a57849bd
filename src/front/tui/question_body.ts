/**
 * What a person must see to decide, in our own frame.
 *
 * @module
 */

import type { Question } from "../../app/view.ts";
import { sanitizeLine, sanitizeText } from "../../base/sanitize.ts";
import { findEntry } from "../../model/entries.ts";
import type { ToolEntry } from "../../model/session.ts";
import { readable } from "../endless.ts";
import { renderPart } from "./entries/content.ts";
import { type RenderContext, shortPath, type ViewContext } from "./entries/context.ts";
import { renderDiff } from "./entries/diff.ts";
import { commandOf, inputLines } from "./entries/tool_raw.ts";
import { wrapBehind } from "./layout.ts";

/** The whole question: title and everything that belongs to it, wrapped, nothing folded. */
export function questionLines(question: Question, view: ViewContext): string[] {
  const { theme, width } = view;
  const title = wrapBehind("", sanitizeLine(readable(question.title), "reveal"), width)
    .map((line) => theme.style("bold", line));
  const entry = askedEntry(question);
  const state = question.store?.state;
  const body = entry === undefined || state === undefined
    ? plainLines(question.body, width)
    : callLines(entry, { ...view, state, whole: true });
  return [...title, ...body];
}

/** The tool call that a permission question is about. */
export function askedEntry(question: Question): ToolEntry | undefined {
  if (question.kind !== "permission" || question.toolCallId === undefined) return undefined;
  const state = question.store?.state;
  const entry = state === undefined ? undefined : findEntry(state, `tool ${question.toolCallId}`);
  return entry?.kind === "tool" ? entry : undefined;
}

/** Command, files, arguments, changes: whatever the call says about itself. */
function callLines(entry: ToolEntry, context: RenderContext): string[] {
  const { theme, width, state } = context;
  const command = commandOf(entry.rawInput);
  const lines: string[] = [];
  if (command !== undefined) {
    lines.push(...wrapBehind(theme.style("accent", "$ "), reveal(command), width));
  }
  const files = [
    ...new Set(entry.locations.map((location) => shortPath(location.path, state.cwd))),
  ];
  const changed = entry.content.flatMap((content) =>
    content.type === "diff" ? [shortPath(content.path, state.cwd)] : []
  );
  for (const file of files.filter((path) => !changed.includes(path))) {
    lines.push(...wrapBehind("file: ", file, width));
  }
  for (const content of entry.content) {
    if (content.type === "diff") lines.push(...renderDiff(content, context, Infinity).lines);
    if (content.type === "content") {
      const part = content.content;
      lines.push(
        ...(part.type === "text"
          ? plainLines(part.text.split("\n"), width)
          : renderPart(part, context)),
      );
    }
  }
  // A diff shows what the arguments say, only better.
  if (changed.length === 0) lines.push(...argumentLines(entry, command !== undefined, width));
  if (lines.length > 0) return lines;
  return [theme.style("dim", "The agent did not say what with: no arguments are available")];
}

function argumentLines(entry: ToolEntry, hasCommand: boolean, width: number): string[] {
  const { rawInput } = entry;
  const others = hasCommand && typeof rawInput === "object" && rawInput !== null
    ? Object.fromEntries(
      Object.entries(rawInput).filter(([name]) => name !== "command" && name !== "cmd"),
    )
    : rawInput;
  return plainLines(inputLines(others), width);
}

function plainLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => wrapBehind("", reveal(line), width));
}

/** Nothing may hide in what a person is asked to approve. */
function reveal(text: string): string {
  return sanitizeText(readable(text), "reveal");
}
