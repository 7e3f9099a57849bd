/**
 * What a terminal does to the lines on its screen when it becomes narrower.
 *
 * No terminal tells, and each does it in its way; what we know of it decides how far up the lines
 * begin that are ours to draw again.
 *
 * @module
 */

import {
  getGraphemeSegmenter,
  sliceByColumn,
  stripTerminalSequences,
} from "@earendil-works/pi-tui/dist/utils.js";
import { widthOf } from "./layout.ts";
import type { Position } from "./position.ts";

/** See the module. */
export type Reflow =
  /** Cuts them off. */
  | "none"
  /** Wraps all but the one with the cursor, as xterm.js does. */
  | "not-cursor"
  /** Wraps them all. */
  | "all";

/** What the environment tells. */
export function reflowOf(env: (name: string) => string | undefined): Reflow {
  const has = (...names: string[]) => names.some((name) => (env(name) ?? "") !== "");
  if (has("TMUX")) return "all";
  if (has("STY", "XTERM_VERSION") || /^(linux|rxvt|screen)/.test(env("TERM") ?? "")) return "none";
  return env("TERM_PROGRAM") === "vscode" ? "not-cursor" : "all";
}

/**
 * What the terminal's answer to "what are you" (primary device attributes) tells, over a connection
 * that keeps the environment back, too; `known` when it tells nothing.
 */
export function reflowOfAttributes(
  reply: string,
  known: Reflow,
  env: (name: string) => string | undefined,
): Reflow {
  if ((env("TMUX") ?? "") !== "" || env("TERM_PROGRAM") === "Apple_Terminal") return known;
  if (reply === "\x1b[?1;2c") return "not-cursor";
  // Selective erase, national sets and technical characters together: xterm itself.
  return reply.includes(";6;9;15") ? "none" : known;
}

/** Lines that were drawn when the screen was as wide as they are, on one of another width. */
export class ReflowedLines {
  /** Rows that each line takes. */
  readonly heights: readonly number[];
  readonly #lines: readonly string[];
  readonly #columns: number;
  readonly #reflow: Reflow;

  constructor(lines: readonly string[], columns: number, reflow: Reflow) {
    this.heights = lines.map((line) => reflow === "none" ? 1 : rowsOf(line, columns));
    this.#lines = lines;
    this.#columns = columns;
    this.#reflow = reflow;
  }

  /** Those in the first so many rows; of the last one only the part that is in them. */
  within(rows: number): string[] {
    const found: string[] = [];
    let left = rows;
    for (const [index, line] of this.#lines.entries()) {
      if (left <= 0) break;
      const height = this.heights[index] ?? 1;
      found.push(left >= height ? line : sliceByColumn(line, 0, left * this.#columns));
      left -= height;
    }
    return found;
  }

  /**
   * Rows between the top of the lines and the cursor, which stood at `cursor`. `keepsBelow` says
   * that the lines below it are still there.
   */
  rowsAbove({ row, column }: Position, keepsBelow: boolean): number {
    const above = sum(this.heights.slice(0, row));
    if (this.#reflow === "none") return above;
    if (this.#reflow === "all") return above + this.#cursorRow(row, column);
    // The cursor moves down for what is wrapped below it, too.
    const below = keepsBelow ? this.heights.slice(row + 1) : [];
    return above + sum(below) - below.length;
  }

  /** Where in its own line the cursor stands: behind the end of a line it stays in the last row. */
  #cursorRow(row: number, column: number): number {
    const line = this.#lines[row] ?? "";
    const height = this.heights[row] ?? 1;
    if (column >= widthOf(line)) return height - 1;
    return Math.min(height - 1, Math.floor(column / this.#columns));
  }
}

/** Rows that a line takes when a terminal wraps it: no wide character is cut in two. */
export function rowsOf(line: string, columns: number): number {
  const width = widthOf(line);
  if (width <= columns) return 1;
  const text = stripTerminalSequences(line);
  if (text.length === width) return Math.ceil(width / columns);
  let rows = 1;
  let column = 0;
  for (const { segment } of getGraphemeSegmenter().segment(text)) {
    const own = widthOf(segment);
    if (column + own > columns) {
      rows++;
      column = 0;
    }
    column += own;
  }
  return rows;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
