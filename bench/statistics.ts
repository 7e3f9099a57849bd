/**
 * Runs side by side, and what comes of them.
 *
 * @module
 */

import type { Row } from "./figure.ts";

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share (0 to 1) of the values lies, interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/**
 * Runs every program once to warm the caches, then each `runs` times, in turns and in changing
 * order, so that what else happens on the machine falls on all of them alike.
 */
export async function interleave<K extends string, T>(
  runs: number,
  programs: Readonly<Partial<Record<K, () => Promise<T>>>>,
): Promise<Record<K, T[]>> {
  const entries = Object.entries(programs) as [K, () => Promise<T>][];
  const results = Object.fromEntries(entries.map(([name]) => [name, []])) as unknown as Record<
    K,
    T[]
  >;
  for (const [, program] of entries) await program();
  for (let run = 0; run < runs; run++) {
    const first = run % entries.length;
    for (const [name, program] of [...entries.slice(first), ...entries.slice(0, first)]) {
      results[name].push(await program());
    }
  }
  return results;
}

/** What two programs have in common: values of the same unit, run by run. */
export interface Comparison {
  readonly what: string;
  readonly unit: Row["unit"];
  readonly ours: readonly number[];
  readonly beside: { readonly name: string; readonly values: readonly number[] };
  readonly bound?: number | undefined;
}

/** A row of medians; the ratio is the median of the ratios of the runs that were neighbours. */
export function compare({ what, unit, ours, beside, bound }: Comparison): Row {
  const ratios = ours.map((value, run) => value / (beside.values[run] ?? NaN));
  return {
    what,
    unit,
    ours: median(ours),
    beside: { name: beside.name, value: median(beside.values) },
    ratio: median(ratios),
    ...(bound === undefined ? {} : { bound }),
  };
}
