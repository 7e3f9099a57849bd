/**
 * What a person must see to decide, in our own frame.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import type { Question } from "../../app/view.ts";
import { sanitizeLine, sanitizeText } from "../../base/sanitize.ts";
import type { ToolEntry } from "../../model/session.ts";
import { NO_DETAILS } from "../../model/tool_words.ts";
import { askedCall } from "../asked_call.ts";
import { readable } from "../endless.ts";
import { renderPart } from "./entries/content.ts";
import { type Folded, type RenderContext, shortPath, type ViewContext } from "./entries/context.ts";
import { wholeDiff } from "./entries/diff.ts";
import { commandOf, inputLines } from "./entries/tool_raw.ts";
import { wrapBehind } from "./layout.ts";

/**
 * The whole question: title and everything that belongs to it, wrapped, nothing folded. Of a change
 * of files the lines after the first `most` rows are only counted.
 */
export function questionLines(question: Question, view: ViewContext, most = Infinity): Folded {
  const { theme, width } = view;
  const title = wrapBehind("", sanitizeLine(readable(question.title), "reveal"), width)
    .map((line) => theme.style("bold", line));
  const { lines, hidden } = questionBody(question, view, most);
  return { lines: [...title, ...lines], hidden };
}

/** The question without its title. */
export function questionBody(question: Question, view: ViewContext, most = Infinity): Folded {
  const call = askedCall(question);
  const state = question.store?.state;
  const origin = question.origin === undefined ? [] : plainLines([question.origin], view.width);
  if (call === undefined || state === undefined) {
    return { lines: [...origin, ...plainLines(question.body, view.width)], hidden: 0 };
  }
  const { lines, hidden } = callLines(call, { ...view, state, whole: true }, most);
  return { lines: [...origin, ...lines], hidden };
}

/** Command, files, arguments, changes: whatever the call says about itself. */
function callLines(entry: ToolEntry, context: RenderContext, most: number): Folded {
  const { theme, width, state } = context;
  const command = commandOf(entry.rawInput);
  const lines: string[] = [];
  let hidden = 0;
  if (command !== undefined) {
    append(lines, wrapBehind(theme.style("accent", "$ "), reveal(command), width));
  }
  const changed = new Set(
    entry.content.flatMap((content) =>
      content.type === "diff" ? [shortPath(content.path, state.cwd)] : []
    ),
  );
  const files = new Set(entry.locations.map(({ path }) => shortPath(path, state.cwd)));
  for (const file of files.difference(changed)) append(lines, wrapBehind("file: ", file, width));
  for (const content of entry.content) {
    if (content.type === "diff") {
      const diff = wholeDiff(content, context, most);
      append(lines, diff.lines);
      hidden += diff.hidden;
    }
    if (content.type === "content") {
      const part = content.content;
      append(
        lines,
        part.type === "text" ? plainLines(part.text.split("\n"), width) : renderPart(part, context),
      );
    }
  }
  // A diff shows what the arguments say, only better.
  if (changed.size === 0) append(lines, argumentLines(entry, command !== undefined, width));
  if (lines.length > 0) return { lines, hidden };
  return { lines: [theme.style("dim", NO_DETAILS)], hidden };
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
