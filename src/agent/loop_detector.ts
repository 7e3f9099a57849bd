/**
 * Notices a model that makes the same call again and again and gets the same answer.
 *
 * @module
 */

/** How often the same call with the same answer may come: from then on it is flagged. */
const FLAG_AT = 3;
/** How often it may come before the turn is stopped. */
export const STOP_AT = 5;

/** What the detector says about a call. */
export interface Repetition {
  readonly count: number;
  readonly verdict: "fine" | "flagged" | "stopped";
}

/** Counts the calls of one turn. */
export class LoopDetector {
  readonly #counts = new Map<string, number>();

  /** Counts one more call. */
  count(tool: string, args: unknown, answer: string): Repetition {
    const key = JSON.stringify([tool, args, answer]);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    const verdict = count >= STOP_AT ? "stopped" : count >= FLAG_AT ? "flagged" : "fine";
    return { count, verdict };
  }
}
