/**
 * What a figure is: something that is measured beside something else, in the same run.
 *
 * @module
 */

/** What a number is in. */
export type Unit = "ms" | "µs" | "MB" | "B";

/** One line of the table. */
export interface Row {
  /** What was measured, e.g. `200,000 chunks: time`. */
  readonly what: string;
  readonly unit: Unit;
  /** Median of this program. */
  readonly ours: number;
  /** The floor or the peer, and its median. */
  readonly beside?: { readonly name: string; readonly value: number };
  /** Ours to the other, where there is one. */
  readonly ratio?: number;
  /** Largest ratio that is good; absent: the ratio is only reported. */
  readonly bound?: number;
}

/** How to measure. */
export interface Measuring {
  /** Runs of each program; at least 5 unless only a look is wanted. */
  readonly runs: number;
  /** Small sizes: shows that everything works, not how fast it is. */
  readonly quick: boolean;
}

/** A figure, or a few that come from the same runs. */
export interface Figure {
  /** For `--only`. */
  readonly name: string;
  /** One line on what it shows. */
  readonly shows: string;
  measure(how: Measuring): Promise<readonly Row[]>;
}
