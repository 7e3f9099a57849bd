/**
 * Drawing: finished lines go above a small region that is redrawn where it changed.
 *
 * Nothing above the region is ever touched: the cursor moves within the region only, and lines
 * that are finished are written once, in its place, before it is drawn again below them.
 *
 * @module
 */

import { drawable } from "./drawable.ts";
import { HIDE, Pen, SHOW } from "./pen.ts";
import type { Position } from "./position.ts";
import { type Reflow, ReflowedLines } from "./reflow.ts";
import { sameSize, type Size } from "./terminal.ts";

/** What the screen shall show. */
export interface Frame {
  /** Lines that are finished; each is at most as wide as the screen. */
  readonly finished: readonly string[];
  /** The region below them; at most as high and wide as the screen. */
  readonly live: readonly string[];
  /** Where the cursor stands in the region; hidden without. */
  readonly cursor?: Position;
}

const SYNC_ON = "\x1b[?2026h";
const SYNC_OFF = "\x1b[?2026l";

/** The region at the bottom of the screen. Gives bytes to write; writes nothing itself. */
export class LiveRegion {
  /** What the terminal does to lines when it becomes narrower. */
  reflow: Reflow;
  #lines: readonly string[] = [];
  #cursor: Position = { row: 0, column: 0 };
  #shown = true;
  #size: Size | undefined;
  /**
   * Lines that were the region's and were pushed above the screen. As long as nothing finished was
   * written below them they are what stands right above the region, and a higher screen may show
   * them again.
   */
  #lost: readonly string[] = [];
  /** The terminal may have moved or cut off lines. */
  #stale = false;
  /** The last frame may have come after the terminal had changed its size. */
  #doubtful = false;
  /** The row of the screen in which the terminal says that the cursor is. */
  #cursorRow: number | undefined;

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
    if (this.displaced(size)) {
      pen.row = this.#rowsAbove(size);
      pen.clearFrom(0);
      this.#lost = this.#outOfReach(size);
      old = [];
    }
    if (frame.finished.length > 0) this.#lost = [];
    this.#settled(size);
    if (frame.finished.length > 0) {
      pen.to(0);
      for (const line of frame.finished) pen.add(`\r${pen.line(line)}\r\n`);
      pen.repaint(frame.live);
      if (frame.finished.length + frame.live.length < old.length) pen.clearFrom(frame.live.length);
    } else {
      pen.update(old, frame.live);
    }
    pen.wrapAgain();
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
    this.#cursorRow = undefined;
  }

  /** The terminal may have moved the region since it was drawn. */
  displaced(size: Size): boolean {
    return this.#size !== undefined && (this.#stale || !sameSize(this.#size, size));
  }

  /** The terminal says in which row of the screen the cursor is, after it has moved the region. */
  located(row: number): void {
    this.#cursorRow = row;
  }

  /**
   * The last frame may have arrived after the size had changed. Nobody knows whether its lines were
   * wrapped, then: rather a piece of them is left behind than something finished erased.
   */
  doubt(): void {
    this.#doubtful = true;
  }

  /**
   * How many lines of the region, counted from its top, a change to this size has pushed above the
   * screen, wholly or in part: they stand there now, and nothing takes them back.
   */
  pushedOff(size: Size): number {
    if (!this.displaced(size)) return 0;
    const { heights } = this.#reflowed(this.#lines, size);
    let over = this.#reflowedRows(size) - this.#reach(size);
    let lines = 0;
    for (; over > 0 && lines < this.#cursor.row; lines++) over -= heights[lines] ?? 1;
    return lines;
  }

  /** The first `count` lines stay where they are: they are finished, and not the region's any more. */
  release(count: number): void {
    const lines = Math.min(count, this.#cursor.row);
    if (lines > 0) this.#lost = [];
    this.#lines = this.#lines.slice(lines);
    this.#cursor = { ...this.#cursor, row: this.#cursor.row - lines };
  }

  /** The bytes that take the region away and leave the cursor where it began. */
  erase(size: Size): string {
    const pen = new Pen(this.displaced(size) ? this.#rowsAbove(size) : this.#cursor.row);
    pen.clearFrom(0);
    this.forget();
    return `${pen.out}${SHOW}`;
  }

  /** The screen is not as we left it: the next frame begins on the cursor's line. */
  forget(): void {
    this.#lines = [];
    this.#cursor = { row: 0, column: 0 };
    this.#shown = true;
    this.#size = undefined;
    this.#lost = [];
  }

  #settled(size: Size): void {
    this.#size = size;
    this.#stale = false;
    this.#doubtful = false;
    this.#cursorRow = undefined;
  }

  /** Rows between the top of what is the region's, or of the screen, and the cursor. */
  #rowsAbove(size: Size): number {
    return Math.min(this.#lostRows(size) + this.#reflowedRows(size), this.#reach(size));
  }

  /** What of the region the screen does not show any more. */
  #outOfReach(size: Size): string[] {
    const over = this.#lostRows(size) + this.#reflowedRows(size) - this.#reach(size);
    const above = [...this.#lost, ...this.#lines.slice(0, this.#cursor.row)];
    return this.#reflowed(above, size).within(over);
  }

  #lostRows(size: Size): number {
    return this.#reflowed(this.#lost, size).heights.reduce((sum, height) => sum + height, 0);
  }

  /** Rows of the screen above the cursor, at most. */
  #reach(size: Size): number {
    return Math.min(this.#cursorRow ?? Infinity, size.rows - 1);
  }

  #reflowedRows(size: Size): number {
    // What is below the cursor is cut off by a lower screen.
    const keepsBelow = size.rows >= (this.#size?.rows ?? 0);
    return this.#reflowed(this.#lines, size).rowsAbove(this.#cursor, keepsBelow);
  }

  #reflowed(lines: readonly string[], { columns }: Size): ReflowedLines {
    return new ReflowedLines(lines, columns, this.#doubtful ? "none" : this.reflow);
  }
}
