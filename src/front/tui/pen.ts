/**
 * Writing lines of the screen relative to each other.
 *
 * @module
 */

import { isImageRow } from "./image_row.ts";
import { widthOf } from "./layout.ts";
import type { Position } from "./position.ts";

/** Shows the cursor. */
export const SHOW = "\x1b[?25h";
/** Hides it. */
export const HIDE = "\x1b[?25l";
/** What does not fit into a row is cut off. */
const NO_WRAP = "\x1b[?7l";
/** It goes on in the next row, as everywhere. */
const WRAP = "\x1b[?7h";

/**
 * Clears from the beginning of the row on, to the end of the screen. Not from the first column:
 * there, on the first row, tmux would put the whole screen into the scrollback before.
 */
const CLEAR = "\x1b[2K\x1b[C\x1b[J\r";

/** Collects output and keeps track of the row that the cursor is in, counted from the region's top. */
export class Pen {
  out = "";
  row: number;
  /** What does not fit into a row is cut off. */
  #cuts = false;

  constructor(row: number) {
    this.row = row;
  }

  add(text: string): void {
    this.out += text;
  }

  /** Moves up or down to an existing row. */
  to(row: number): void {
    if (row < this.row) this.out += `\x1b[${this.row - row}A`;
    if (row > this.row) this.out += `\x1b[${row - this.row}B`;
    this.row = row;
  }

  /**
   * A line as it is written. The row is erased as a whole first: some terminals remember how far a
   * row was ever written when they wrap it again. Attributes end with the line.
   */
  line(text: string): string {
    if (isImageRow(text)) return `${CLEAR}${text}`;
    return `\x1b[2K${text.includes("\x1b[") ? `${text}\x1b[0m` : text}`;
  }

  /** Writes the whole region from its first row on. */
  repaint(lines: readonly string[]): void {
    lines.forEach((line, index) => this.#live(index === 0 ? "\r" : "\r\n", line));
    this.row = Math.max(0, lines.length - 1);
  }

  /** Lines that are finished go on in the next row again, where they do not fit. */
  wrapAgain(): void {
    if (this.#cuts) this.add(WRAP);
    this.#cuts = false;
  }

  /**
   * A line of the region: one row, even if it arrives when the window has become narrower already,
   * so that the rows below it are where they are thought to be.
   */
  #live(before: string, line: string): void {
    this.add(`${this.#cuts ? "" : NO_WRAP}${before}${this.line(line)}`);
    this.#cuts = true;
  }

  /** Clears the rows from `row` on, which must exist. */
  clearFrom(row: number): void {
    this.to(row);
    this.add(`\r${CLEAR}`);
  }

  /** Writes the lines that differ. */
  update(old: readonly string[], lines: readonly string[]): void {
    if (old.length === 0) return this.repaint(lines);
    lines.forEach((line, index) => {
      const before = old[index];
      if (line === before) return;
      if (before === undefined) {
        this.to(index - 1);
        this.#live("\r\n", line);
        this.row = index;
        return;
      }
      this.to(index);
      const suffix = appended(before, line);
      if (suffix === undefined) this.#live("\r", line);
      else this.add(`\r${forward(widthOf(before))}${suffix}`);
    });
    if (old.length > lines.length) this.clearFrom(lines.length);
  }

  /** Moves the cursor to its place, from where the pen left it. */
  place(wanted: Position | undefined, last: Position, shown: boolean): string {
    if (wanted === undefined) return shown && this.out === "" ? HIDE : "";
    const still = this.out === "" && shown && last.row === wanted.row &&
      last.column === wanted.column;
    if (still) return "";
    const before = this.out;
    this.out = "";
    this.to(wanted.row);
    const move = `${this.out}\r${forward(wanted.column)}`;
    this.out = before;
    return before === "" && !shown ? `${move}${SHOW}` : move;
  }
}

function forward(columns: number): string {
  return columns > 0 ? `\x1b[${columns}C` : "";
}

/** What `line` has more than `before`, when it is plain text that goes on. */
function appended(before: string, line: string): string | undefined {
  if (!line.startsWith(before) || line.includes("\x1b")) return undefined;
  // The last character may join what follows it (an accent, a joiner).
  return /^[\x20-\x7e]*$/.test(before.slice(-1)) &&
      /^[\x20-\x7e]*$/.test(line.slice(before.length, before.length + 1))
    ? line.slice(before.length)
    : undefined;
}
