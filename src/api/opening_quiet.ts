/**
 * The moment between the opening of a session and its first prompt.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import type { SessionStore } from "../model/session_store.ts";

/** How long nothing may have come before a prompt may go. */
const QUIET_MS = 10;

/** How often more is waited for: a prompt is held back for a tenth of a second at most. */
const ROUNDS = 10;

/**
 * Agents greet, or list their commands, right after they have opened a session. A prompt that
 * overtakes that would have it in its turn, as if it were the answer.
 */
export class OpeningQuiet {
  readonly #clock: Clock;
  #last: number;
  readonly #unsubscribe: () => void;

  /** Begins with the opening of the session. */
  constructor(store: SessionStore, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#last = clock.now();
    this.#unsubscribe = store.subscribe(({ event }) => {
      if (event.type === "update_received") this.#last = clock.now();
    });
  }

  /**
   * Waits until nothing has come for 10 ms, 100 ms at most; not at all for a prompt that comes
   * later.
   */
  async passed(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const rest = Math.min(this.#last + QUIET_MS - this.#clock.now(), QUIET_MS);
      if (rest <= 0) break;
      await new Promise<void>((resolve) => this.#clock.after(rest, resolve));
    }
    this.#unsubscribe();
  }
}
