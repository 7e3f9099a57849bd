/**
 * A change of a file.
 *
 * @module
 */

import { sanitizeText } from "../../../base/sanitize.ts";
import type { ToolContent } from "../../../model/session.ts";
import { type DiffLine, diffLines, type LineDiff } from "../diff_lines.ts";
import { counted, fit, wrapBehind } from "../layout.ts";
import type { Theme } from "../theme.ts";
import { fold, type Folded, type RenderContext, shortPath } from "./context.ts";

/** A diff as a tool call carries it. */
export type DiffContent = Extract<ToolContent, { type: "diff" }>;

/** Rows of a diff that are shown. */
const LIMIT = 40;

/** Characters of one piece of a line that are shown. */
const LONGEST_LINE = 10_000;

const diffs = new WeakMap<DiffContent, LineDiff>();

/** The change: what file, how many lines, and the lines. */
export function renderDiff(
  content: DiffContent,
  context: RenderContext,
  limit = LIMIT,
): Folded {
  const { theme, width } = context;
  const diff = lineDiff(content);
  const head = fit(`${title(content, context)} ${counts(diff, theme)}`, width);
  if (diff.tooLarge) {
    const note = theme.style("dim", "  too large to be shown line by line");
    return { lines: [head, fit(note, width)], hidden: 0 };
  }
  const digits = Math.max(0, ...diff.lines.map((line) => line.type === "gap" ? 0 : line.number));
  const rows = diff.lines.flatMap((line) => row(line, `${digits}`.length, context));
  const folded = fold(rows, limit, "start", context);
  return { lines: [head, ...folded.lines], hidden: folded.hidden };
}

/** `new file a.ts +3`, for one line. */
export function diffSummary(content: DiffContent, context: RenderContext): string {
  return `${title(content, context)} ${counts(lineDiff(content), context.theme)}`;
}

function lineDiff(content: DiffContent): LineDiff {
  const known = diffs.get(content);
  if (known !== undefined) return known;
  const made = diffLines(sanitizeText(content.oldText ?? ""), sanitizeText(content.newText));
  diffs.set(content, made);
  return made;
}

function title(content: DiffContent, { state }: RenderContext): string {
  const path = shortPath(content.path, state.cwd);
  if (content.oldText === undefined) return `new file ${path}`;
  return content.newText === "" && content.oldText !== "" ? `deleted or emptied ${path}` : path;
}

function counts(diff: LineDiff, theme: Theme): string {
  if (diff.added + diff.removed === 0) return theme.style("dim", "(no lines differ)");
  const added = theme.style("added", `+${diff.added}`);
  const removed = theme.style("removed", `−${diff.removed}`);
  return `${added} ${removed}${
    diff.tooLarge ? ` (${counted(diff.added + diff.removed, "line")})` : ""
  }`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}…`;
}

function row(line: DiffLine, digits: number, { theme, width }: RenderContext): string[] {
  if (line.type === "gap") return [theme.style("dim", `  ${" ".repeat(digits)} …`)];
  const number = theme.style("dim", `  ${`${line.number}`.padStart(digits)} `);
  const sign = line.type === "added" ? "+ " : line.type === "removed" ? "- " : "  ";
  const text = line.pieces.map((piece) =>
    styled(line.type, shortened(piece.text), piece.changed, theme)
  ).join(
    "",
  );
  const behind = `${number}${line.type === "same" ? sign : theme.style(line.type, sign)}`;
  return wrapBehind(behind, text, width);
}

function styled(
  type: "same" | "added" | "removed",
  text: string,
  changed: boolean,
  theme: Theme,
): string {
  if (type === "same") return text;
  if (changed && text.trim() !== "") {
    return theme.style(type === "added" ? "addedWord" : "removedWord", text);
  }
  return theme.style(type, text);
}
