/**
 * Drawing: finished lines go above a small region that is redrawn where it changed.
 *
 * Nothing above the region is ever touched: the cursor moves within the region only, and lines
 * that are finished are written once, in its place, before it is drawn again below them.
 *
 * @module
 */

import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import { drawable } from "./drawable.ts";
import { isImageRow } from "./image_row.ts";
import type { Reflow } from "./reflow.ts";
import type { Size } from "./terminal.ts";

/** What the screen shall show. */
export interface Frame {
  /** Lines that are finished; each is at most as wide as the screen. */
  readonly finished: readonly string[];
  /** The region below them; at most as high and wide as the screen. */
  readonly live: readonly string[];
  /** Where the cursor stands in the region; hidden without. */
  readonly cursor?: Position;
}

/** A cell, counted from 0. */
export interface Position {
  readonly row: number;
  readonly column: number;
}

const SYNC_ON = "\x1b[?2026h";
const SYNC_OFF = "\x1b[?2026l";
const SHOW = "\x1b[?25h";
const HIDE = "\x1b[?25l";

/** The region at the bottom of the screen. Gives bytes to write; writes nothing itself. */
export class LiveRegion {
  /** What the terminal does to lines when it becomes narrower. */
  reflow: Reflow;
  #lines: readonly string[] = [];
  #cursor: Position = { row: 0, column: 0 };
  #shown = true;
  #size: Size | undefined;
  /** The terminal may have moved or cut off lines. */
  #stale = false;

  constructor(reflow: Reflow) {
    this.reflow = reflow;
  }

  /** The bytes that make the screen show `frame`; empty when it does already. */
  draw({ finished, live, cursor }: Frame, size: Size): string {
    const safe = (rows: readonly string[]) => rows.map((row) => drawable(row, size.columns));
    return this.#draw(
      { finished: safe(finished), live: safe(live), ...(cursor && { cursor }) },
      size,
    );
  }

  #draw(frame: Frame, size: Size): string {
    const pen = new Pen(this.#cursor.row);
    let old = this.#lines;
    if (this.#size !== undefined && (this.#stale || !sameSize(this.#size, size))) {
      pen.row = this.#rowsAbove(size);
      pen.to(0);
      pen.add("\r\x1b[J");
      old = [];
    }
    this.#size = size;
    this.#stale = false;
    if (frame.finished.length > 0) {
      pen.to(0);
      for (const line of frame.finished) pen.add(`\r${pen.line(line)}\r\n`);
      pen.repaint(frame.live);
      if (frame.finished.length + frame.live.length < old.length) pen.clearFrom(frame.live.length);
    } else {
      pen.update(old, frame.live);
    }
    const moved = pen.place(frame.cursor, this.#cursor, this.#shown);
    this.#lines = frame.live;
    this.#cursor = frame.cursor ?? { row: pen.row, column: 0 };
    this.#shown = frame.cursor !== undefined;
    if (pen.out === "") return moved;
    return `${SYNC_ON}${HIDE}${pen.out}${moved}${this.#shown ? SHOW : ""}${SYNC_OFF}`;
  }

  /** The next frame writes every line of the region again. */
  invalidate(): void {
    this.#stale = true;
  }

  /**
   * How many lines of the region, counted from its top, a change to this size has pushed into the
   * scrollback: they stand there now, and nothing takes them back.
   */
  pushedOff(size: Size): number {
    if (this.#size === undefined || sameSize(this.#size, size)) return 0;
    let over = this.#reflowedRows(size) + 1 - size.rows;
    let lines = 0;
    for (; over > 0 && lines < this.#cursor.row; lines++) {
      over -= this.#heightOf(this.#lines[lines] ?? "", size);
    }
    return over < 0 && lines > 0 ? lines - 1 : lines;
  }

  /** The bytes that take the region away and leave the cursor where it began. */
  erase(size: Size): string {
    const pen = new Pen(this.#rowsAbove(size));
    pen.to(0);
    this.forget();
    return `${pen.out}\r\x1b[J${SHOW}`;
  }

  /** The screen is not as we left it: the next frame begins on the cursor's line. */
  forget(): void {
    this.#lines = [];
    this.#cursor = { row: 0, column: 0 };
    this.#shown = true;
    this.#size = undefined;
  }

  /** Rows between the top of the region, or of the screen, and the cursor. */
  #rowsAbove(size: Size): number {
    return Math.min(this.#reflowedRows(size), size.rows - 1);
  }

  #reflowedRows(size: Size): number {
    const { row, column } = this.#cursor;
    const heights = this.#lines.map((line) => this.#heightOf(line, size));
    const above = sum(heights.slice(0, row));
    if (this.reflow === "all") return above + Math.floor(column / size.columns);
    if (this.reflow === "none") return above;
    // The cursor moves down for what is wrapped below it, too, unless a lower screen cut that off.
    const below = size.rows < (this.#size?.rows ?? 0) ? [] : heights.slice(row + 1);
    return above + sum(below) - below.length;
  }

  /** Rows that a line of the region takes on a screen of this size. */
  #heightOf(line: string, size: Size): number {
    const narrower = this.#size !== undefined && size.columns < this.#size.columns;
    if (this.reflow === "none" || !narrower) return 1;
    return Math.max(1, Math.ceil(visibleWidth(line) / size.columns));
  }
}

/** Collects output and keeps track of the row that the cursor is in. */
class Pen {
  out = "";
  row: number;

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
    if (isImageRow(text)) return `\x1b[J${text}`;
    return `\x1b[2K${text.includes("\x1b[") ? `${text}\x1b[0m` : text}`;
  }

  /** Writes the whole region from its first row on. */
  repaint(lines: readonly string[]): void {
    lines.forEach((line, index) => this.add(`${index === 0 ? "\r" : "\r\n"}${this.line(line)}`));
    this.row = Math.max(0, lines.length - 1);
  }

  /** Clears the rows from `row` on, which must exist. */
  clearFrom(row: number): void {
    this.to(row);
    this.add("\r\x1b[J");
  }

  /** Writes the lines that differ. */
  update(old: readonly string[], lines: readonly string[]): void {
    if (old.length === 0) return this.repaint(lines);
    lines.forEach((line, index) => {
      const before = old[index];
      if (line === before) return;
      if (before === undefined) {
        this.to(index - 1);
        this.add(`\r\n${this.line(line)}`);
        this.row = index;
        return;
      }
      this.to(index);
      const suffix = appended(before, line);
      if (suffix === undefined) this.add(`\r${this.line(line)}`);
      else this.add(`\r${forward(visibleWidth(before))}${suffix}`);
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function sameSize(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows;
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
