/**
 * A change of a file.
 *
 * @module
 */

import { append } from "../../../base/append.ts";
import { sanitizeText } from "../../../base/sanitize.ts";
import type { ToolContent } from "../../../model/session.ts";
import { type DiffLine, diffLines, type LineDiff } from "../../diff_lines.ts";
import { fit, wrapBehind } from "../layout.ts";
import type { Theme } from "../theme.ts";
import { fold, type Folded, type RenderContext, shortPath } from "./context.ts";

/** A diff as a tool call carries it. */
export type DiffContent = Extract<ToolContent, { type: "diff" }>;

/** Rows of a diff that are shown. */
const LIMIT = 40;

/** Lines of a diff that are kept: a longer one is made again when all of it is wanted. */
const KEPT_LINES = 2_000;

/** Characters of one piece of a line that are shown. */
const LONGEST_LINE = 10_000;

/** A diff, or its beginning and how many lines more it has. */
interface KeptDiff extends LineDiff {
  readonly more: number;
}

const diffs = new WeakMap<DiffContent, KeptDiff>();

/** The change: what file, how many lines, and the lines. */
export function renderDiff(
  content: DiffContent,
  context: RenderContext,
  limit = LIMIT,
): Folded {
  // What is folded away need not be laid out.
  const { head, rows, more } = layOut(content, context, context.whole ? Infinity : 2 * limit);
  const { lines, hidden } = fold(rows, limit, "start", context, more);
  return { lines: [head, ...lines], hidden };
}

/** All of the change; once there are more than `most` rows, the lines after them are only counted. */
export function wholeDiff(content: DiffContent, context: RenderContext, most: number): Folded {
  const { head, rows, more } = layOut(content, context, most);
  return { lines: [head, ...rows], hidden: more };
}

interface LaidOut {
  readonly head: string;
  readonly rows: readonly string[];
  /** Lines that are not among the rows. */
  readonly more: number;
}

function layOut(content: DiffContent, context: RenderContext, most: number): LaidOut {
  const known = lineDiff(content);
  const diff = known.more > 0 && most > known.lines.length
    ? { ...compare(content), more: 0 }
    : known;
  const head = fit(`${title(content, context)} ${counts(diff, context.theme)}`, context.width);
  const digits = `${Math.max(0, ...lastNumbers(diff.lines))}`.length;
  const rows: string[] = [];
  let shown = 0;
  for (; shown < diff.lines.length && rows.length <= most; shown++) {
    const line = diff.lines[shown];
    if (line !== undefined) append(rows, row(line, digits, context));
  }
  return { head, rows, more: diff.lines.length - shown + diff.more };
}

/** `new file a.ts +3`, for one line. */
export function diffSummary(content: DiffContent, context: RenderContext): string {
  return `${title(content, context)} ${counts(lineDiff(content), context.theme)}`;
}

function lineDiff(content: DiffContent): KeptDiff {
  const known = diffs.get(content);
  if (known !== undefined) return known;
  const diff = compare(content);
  const more = Math.max(0, diff.lines.length - KEPT_LINES);
  const kept = { ...diff, lines: more === 0 ? diff.lines : diff.lines.slice(0, KEPT_LINES), more };
  diffs.set(content, kept);
  return kept;
}

/** Nothing may hide in what becomes of a file. */
function compare({ oldText, newText }: DiffContent): LineDiff {
  return diffLines(sanitizeText(oldText ?? "", "reveal"), sanitizeText(newText, "reveal"));
}

/** The largest numbers are the last of either side. */
function lastNumbers(lines: readonly DiffLine[]): readonly number[] {
  return ["removed", "added", "same"].flatMap((type) => {
    const last = lines.findLast((line) => line.type === type);
    return last === undefined || last.type === "gap" ? [] : [last.number];
  });
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
  return `${diff.rough ? "at most " : ""}${added} ${removed}`;
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
