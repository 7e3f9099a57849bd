/**
 * Rows of a block that were given out while the block still grows.
 *
 * What comes later may change how they would look: a mark of emphasis that is closed goes away, and
 * the words behind it move up. So it is not their number alone that says where the block goes on.
 *
 * @module
 */

import {
  getGraphemeSegmenter,
  sliceByColumn,
  stripTerminalSequences,
} from "@earendil-works/pi-tui/dist/utils.js";
import { append } from "../../base/append.ts";
import { widthOf } from "./layout.ts";

/** Keeps what was given out of one block. */
export class GivenRows {
  /** Columns that the rows were made for. */
  width = 0;
  readonly #rows: string[] = [];

  /** True before the first row. */
  get none(): boolean {
    return this.#rows.length === 0;
  }

  /** Takes the first `count` rows of the block for given. */
  set(rows: readonly string[], count: number, width: number): void {
    this.#rows.length = 0;
    append(this.#rows, rows.slice(0, count));
    this.width = width;
  }

  /** A new block begins. */
  clear(): void {
    this.#rows.length = 0;
  }

  /**
   * How many of the block's rows, as they are now, were given out; and, where a row was in part,
   * what is missing of it.
   */
  find(rows: readonly string[]): { readonly count: number; readonly missing: readonly string[] } {
    const given = this.#rows;
    if (given.every((row, index) => row === rows[index])) {
      return { count: given.length, missing: [] };
    }
    const letters = lettersOf(given.join(""));
    let seen = "";
    for (const [index, row] of rows.entries()) {
      const before = seen.length;
      seen += lettersOf(row);
      if (seen.length < letters.length) continue;
      if (!seen.startsWith(letters)) break;
      const missing = seen.length === letters.length ? "" : behind(row, letters.length - before);
      return { count: index + 1, missing: missing === "" ? [] : [missing] };
    }
    return { count: Math.min(given.length, rows.length), missing: [] };
  }
}

/** What stays the same however a text is laid out and emphasised. */
function lettersOf(text: string): string {
  return stripTerminalSequences(text).replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

/** The part of a row behind so many letters (in UTF-16 units). */
function behind(row: string, letters: number): string {
  let column = 0;
  let left = letters;
  for (const { segment } of getGraphemeSegmenter().segment(stripTerminalSequences(row))) {
    if (left <= 0) break;
    left -= lettersOf(segment).length;
    column += widthOf(segment);
  }
  return sliceByColumn(row, column, widthOf(row) - column).trim();
}
