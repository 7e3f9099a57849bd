/**
 * Fitting text into columns.
 *
 * @module
 */

import {
  sliceByColumn,
  visibleWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui/dist/utils.js";

/** Columns that a tab is shown as. */
const TAB = "    ";

/** Text in which every character takes one column. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Characters that a column can be made of before the rest of a line is out of sight. */
const REACH = 64;

/** Columns that `text` takes. */
export function widthOf(text: string): number {
  return visibleWidth(text);
}

/** The text in lines of at most `width` columns, broken between words where that is possible. */
export function wrap(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  return text.replaceAll("\t", TAB).split("\n").flatMap((line) => {
    if (PLAIN.test(line)) return line.length <= columns ? [line] : wrapPlain(line, columns);
    return visibleWidth(line) <= columns ? [line] : wrapTextWithAnsi(line, columns);
  });
}

/** The short way for a long line of plain characters: some hundred times as fast. */
function wrapPlain(line: string, columns: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const [token] of line.matchAll(/ +|[^ ]+/g)) {
    const blank = token.startsWith(" ");
    if (row.length + token.length <= columns || (blank && row === "")) {
      row += token;
      continue;
    }
    if (row !== "") rows.push(row.trimEnd());
    row = blank ? "" : token;
    if (blank || token.length <= columns) continue;
    const cut = token.length - (token.length % columns || columns);
    for (let at = 0; at < cut; at += columns) rows.push(token.slice(at, at + columns));
    row = token.slice(cut);
  }
  return row === "" && rows.length > 0 ? rows : [...rows, row.trimEnd()];
}

/** Wraps behind `first`; the lines that follow stand behind `rest` (default: as many spaces). */
export function wrapBehind(first: string, text: string, width: number, rest?: string): string[] {
  const indent = Math.min(visibleWidth(first), Math.max(0, width - 1));
  const before = rest ?? " ".repeat(indent);
  return wrap(text, width - indent).map((line, index) =>
    line === "" && index > 0
      ? before.trimEnd()
      : fit(`${index === 0 ? first : before}${line}`, width)
  );
}

/** One line cut to `width` columns, with an ellipsis when something is missing. */
export function fit(text: string, width: number): string {
  if (width <= 0) return "";
  const most = width * REACH;
  // A sequence of ours that is cut goes as a whole.
  // deno-lint-ignore no-control-regex
  const seen = text.length <= most ? text : text.slice(0, most).replace(/\x1b\[?[\d;:]*$/, "");
  const line = seen.replaceAll("\t", TAB);
  if (seen.length === text.length && visibleWidth(line) <= width) return line;
  return `${sliceByColumn(line, 0, width - 1, true)}…`;
}

/** Lines behind an indent, each wrapped. */
export function indentLines(lines: readonly string[], width: number, indent = "  "): string[] {
  return lines.flatMap((line) => line === "" ? [""] : wrapBehind(indent, line, width));
}

/** A duration for people: `0.3 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole % 3600 / 60)} min`;
}

/** A size for people: `512 bytes`, `1.4 kB`, `23 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** A count of tokens for people: `950`, `12.3k`, `200k`, `1.2M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return `${tokens}`;
  const [value, unit] = tokens < 999_500 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"];
  return `${value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
}
