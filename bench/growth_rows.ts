/**
 * Rows on what grows with a size, at sizes that are ten times apart.
 *
 * @module
 */

import type { Row } from "./figure.ts";
import { median } from "./statistics.ts";

/** Ten times as much may take this much more than ten times as long. */
const BOUND = 1.3;

/**
 * A row for each size but the first: what it took beside what a tenth took. A ratio above 1 says that
 * it grows faster than the size.
 *
 * @param name of what was measured at a size
 * @param taken what each run took, by size, in milliseconds
 */
export function growthRows(
  name: (size: string) => string,
  sizes: readonly number[],
  taken: Readonly<Record<number, readonly number[]>>,
): Row[] {
  return sizes.slice(1).map((size) => {
    const [before, after] = [median(taken[size / 10] ?? []), median(taken[size] ?? [])];
    return {
      what: name(size.toLocaleString("en")),
      unit: "ms",
      ours: after,
      beside: { name: (size / 10).toLocaleString("en"), value: before },
      ratio: after / before / 10,
      bound: BOUND,
    };
  });
}
