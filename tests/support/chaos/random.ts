/**
 * Chance that comes out the same every time: the same seed, the same choices.
 *
 * @module
 */

/** A stream of choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let turn = 0; turn < 4; turn++) this.next();
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    const index = this.int(0, list.length - 1);
    if (list.length === 0) throw new RangeError("nothing to pick from");
    return list[index] as T;
  }

  /** As many items as asked, made one after the other. */
  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index));
  }
}
