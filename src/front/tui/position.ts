/** @module */

/** A cell, counted from 0. */
export interface Position {
  readonly row: number;
  readonly column: number;
}
