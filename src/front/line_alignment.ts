/**
 * Which lines of two texts differ, found in bounded time.
 *
 * Few differences are found exactly, in a text of any size. Where there are many, lines that occur
 * once in both texts divide them first; what remains too large to be compared counts as replaced.
 *
 * @module
 */

import { append } from "../base/append.ts";
import { diffArrays } from "diff";

/** Lines that differ: `removed` lines from `oldStart` on became `added` lines from `newStart` on. */
export interface Difference {
  /** Counted from 0, as is {@link Difference.newStart}. */
  readonly oldStart: number;
  readonly removed: number;
  readonly newStart: number;
  readonly added: number;
}

/** Everything that differs, in order. */
export interface Alignment {
  readonly differences: readonly Difference[];
  /** Some lines were not compared: there may be fewer that differ. */
  readonly rough: boolean;
}

/** Differences in one part of the texts up to which they are looked for exactly. */
const MAX_EDITS = 700;
/** Steps that the comparison of two texts may take, besides a few for each of their lines. */
const EFFORT = 3_000_000;

/** Compares two texts line by line. */
export function alignLines(before: readonly string[], after: readonly string[]): Alignment {
  const numbers = new Map<string, number>();
  const numbered = (line: string) => {
    const known = numbers.get(line) ?? numbers.size;
    if (known === numbers.size) numbers.set(line, known);
    return known;
  };
  return new Aligner(before.map(numbered), after.map(numbered)).run();
}

class Aligner {
  readonly #before: readonly number[];
  readonly #after: readonly number[];
  readonly #differences: Difference[] = [];
  #effort = EFFORT;
  #rough = false;

  constructor(before: readonly number[], after: readonly number[]) {
    this.#before = before;
    this.#after = after;
  }

  run(): Alignment {
    // The first part is the last of the stack.
    const parts: Difference[] = [{
      oldStart: 0,
      removed: this.#before.length,
      newStart: 0,
      added: this.#after.length,
    }];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const core = this.#withoutCommonEnds(part);
      if (core.removed === 0 || core.added === 0) this.#add(core);
      else if (!this.#compare(core)) append(parts, this.#divided(core).toReversed());
    }
    return { differences: this.#differences, rough: this.#rough };
  }

  #add(difference: Difference): void {
    if (difference.removed + difference.added > 0) this.#differences.push(difference);
  }

  #withoutCommonEnds({ oldStart, removed, newStart, added }: Difference): Difference {
    const most = Math.min(removed, added);
    let start = 0;
    while (start < most && this.#before[oldStart + start] === this.#after[newStart + start]) {
      start++;
    }
    let end = 0;
    while (
      end < most - start &&
      this.#before[oldStart + removed - 1 - end] === this.#after[newStart + added - 1 - end]
    ) end++;
    return {
      oldStart: oldStart + start,
      removed: removed - start - end,
      newStart: newStart + start,
      added: added - start - end,
    };
  }

  /** Adds the differences of a part; false when there are too many to be found so. */
  #compare({ oldStart, removed, newStart, added }: Difference): boolean {
    const maxEditLength = Math.min(MAX_EDITS, Math.floor(Math.sqrt(2 * this.#effort)));
    const changes = diffArrays(
      this.#before.slice(oldStart, oldStart + removed),
      this.#after.slice(newStart, newStart + added),
      { maxEditLength },
    );
    if (changes === undefined) {
      this.#spend(maxEditLength ** 2 / 2);
      return false;
    }
    let from = { old: oldStart, new: newStart };
    let edits = 0;
    let to = { ...from };
    const flush = () =>
      this.#add({
        oldStart: from.old,
        removed: to.old - from.old,
        newStart: from.new,
        added: to.new - from.new,
      });
    for (const { added, removed, count } of changes) {
      if (!added && !removed) {
        flush();
        from = { old: to.old + count, new: to.new + count };
        to = { ...from };
        continue;
      }
      if (added) to.new += count;
      else to.old += count;
      edits += count;
    }
    flush();
    this.#spend(edits ** 2 / 2);
    return true;
  }

  /** The parts between the lines that occur once on both sides; one that has none is replaced. */
  #divided(part: Difference): readonly Difference[] {
    const { oldStart, removed, newStart, added } = part;
    const inOld = onlyPlaces(this.#before, oldStart, removed);
    const inNew = onlyPlaces(this.#after, newStart, added);
    const anchors = this.#effort > 0 ? longestRising(commonPairs(inOld, inNew)) : [];
    this.#spend(removed + added);
    if (anchors.length === 0) {
      this.#rough ||= inOld.keys().some((line) => inNew.has(line));
      this.#add(part);
      return [];
    }
    const ends = [...anchors, { old: oldStart + removed, new: newStart + added }];
    let from = { old: oldStart, new: newStart };
    return ends.map((end) => {
      const between = {
        oldStart: from.old,
        removed: end.old - from.old,
        newStart: from.new,
        added: end.new - from.new,
      };
      // The line itself is the same: it is cut off again from the part that follows.
      from = end;
      return between;
    });
  }

  #spend(steps: number): void {
    this.#effort = Math.max(0, this.#effort - steps);
  }
}

/** The same line, where it stands on either side. */
interface Pair {
  readonly old: number;
  readonly new: number;
}

/** Lines with their place, or without one when they have several. */
type Places = ReadonlyMap<number, number | undefined>;

function onlyPlaces(lines: readonly number[], start: number, count: number): Places {
  const places = new Map<number, number | undefined>();
  for (let at = start; at < start + count; at++) {
    const line = lines[at] ?? -1;
    places.set(line, places.has(line) ? undefined : at);
  }
  return places;
}

/** Lines that occur once on both sides. */
function commonPairs(inOld: Places, inNew: Places): readonly Pair[] {
  const pairs: Pair[] = [];
  for (const [line, old] of inOld) {
    const place = inNew.get(line);
    if (old !== undefined && place !== undefined) pairs.push({ old, new: place });
  }
  return pairs;
}

/** The longest choice of pairs, which rise on the old side, that rises on the new one as well. */
function longestRising(pairs: readonly Pair[]): readonly Pair[] {
  /** The last pair of the best choice of each length, and the one before it. */
  const tops: Link[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tops[middle]?.pair.new ?? Infinity) < pair.new) low = middle + 1;
      else high = middle;
    }
    tops[low] = { pair, before: tops[low - 1] };
  }
  const chosen: Pair[] = [];
  for (let link: Link | undefined = tops.at(-1); link !== undefined; link = link.before) {
    chosen.push(link.pair);
  }
  return chosen.reverse();
}

interface Link {
  readonly pair: Pair;
  readonly before: Link | undefined;
}
