/**
 * When a lost connection is tried again: after growing pauses, a limited number of times.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import type { ErrorCode } from "../base/errors.ts";

/** The pauses before each try, in milliseconds; after the last one we give up. */
const PAUSES_MS: readonly number[] = [
  1_000,
  2_000,
  4_000,
  8_000,
  15_000,
  30_000,
  30_000,
  60_000,
  60_000,
  60_000,
];

/** The longest pause that a server may ask for, in milliseconds. */
const LONGEST_MS = 600_000;

/** How long a connection must last for the next loss to begin with the shortest pause again. */
const STABLE_MS = 60_000;

/** What another try would not change. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  "auth",
  "config",
  "interrupted",
  "not_supported",
  "protocol_version",
  "usage",
]);

/** Whether a failure may go away by itself. */
export function mayPass(code: ErrorCode): boolean {
  return !LASTING.has(code);
}

/** The tries after one loss. */
export class Reconnect {
  readonly #attempt: () => void;
  readonly #clock: Clock;
  #tries = 0;
  #connected = true;
  #cancel: (() => void) | undefined;

  /** `attempt` is called when a pause is over. */
  constructor(attempt: () => void, clock: Clock = systemClock) {
    this.#attempt = attempt;
    this.#clock = clock;
  }

  /** Whether tries are being made, or waited for. */
  get active(): boolean {
    return !this.#connected;
  }

  /** Number of the try that is made or waited for, from 1. */
  get tries(): number {
    return this.#tries;
  }

  /**
   * Waits for the next try; gives the pause in milliseconds, or `undefined` when it was the last.
   *
   * @param atLeastMs what the server asks to wait, in milliseconds
   */
  next(atLeastMs = 0): number | undefined {
    this.#cancel?.();
    const planned = PAUSES_MS[this.#tries];
    if (planned === undefined) {
      this.stop();
      return undefined;
    }
    const pause = Math.max(planned, Math.min(atLeastMs, LONGEST_MS));
    this.#tries++;
    this.#connected = false;
    this.#cancel = this.#clock.after(pause, this.#attempt);
    return pause;
  }

  /** The pause is cut short: somebody tries now. The tries go on if that fails. */
  now(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** A try has succeeded. */
  connected(): void {
    this.now();
    this.#connected = true;
    this.#cancel = this.#clock.after(STABLE_MS, () => this.stop());
  }

  /** Ends it: given up, or no longer wanted. */
  stop(): void {
    this.now();
    this.#connected = true;
    this.#tries = 0;
  }
}
