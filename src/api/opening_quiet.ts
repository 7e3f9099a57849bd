/**
 * The moment between the opening of a session and its first prompt.
 *
 * @module
 */

import type { SessionStore } from "../model/session_store.ts";

/** How long nothing may have come before a prompt may go. */
const QUIET_MS = 10;

/** How long a prompt is held back at most. */
const LATEST_MS = 100;

/**
 * Agents greet, or list their commands, right after they have opened a session. A prompt that
 * overtakes that would have it in its turn, as if it were the answer.
 */
export class OpeningQuiet {
  readonly #begun = performance.now();
  #last = this.#begun;
  readonly #unsubscribe: () => void;

  /** Begins with the opening of the session. */
  constructor(store: SessionStore) {
    this.#unsubscribe = store.subscribe(({ event }) => {
      if (event.type === "update_received") this.#last = performance.now();
    });
  }

  /**
   * Waits until nothing has come for 10 ms, at most until 100 ms after the opening: not at all for a
   * prompt that comes later.
   */
  async passed(): Promise<void> {
    for (let rest = this.#rest(); rest > 0; rest = this.#rest()) {
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
    this.#unsubscribe();
  }

  #rest(): number {
    return Math.min(this.#last + QUIET_MS, this.#begun + LATEST_MS) - performance.now();
  }
}
