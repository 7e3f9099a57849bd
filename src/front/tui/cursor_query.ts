/**
 * Asking the terminal where the cursor is.
 *
 * @module
 */

import { within } from "../../base/clock.ts";
import type { Size } from "./terminal.ts";

/** What the terminal says. */
export interface Place {
  /** The row of the screen that the cursor is in, counted from 0. */
  readonly row: number;
  /** The size that the screen really has: the system may tell of it later. */
  readonly size: Size;
}

/** Where is the last cell (the cursor goes there and back), and where is the cursor? */
const REQUEST = "\x1b7\x1b[9999;9999H\x1b[6n\x1b8\x1b[6n";
// deno-lint-ignore no-control-regex
const REPLY = /^\x1b\[(\d+);(\d+)R$/;
/** How long a terminal may take to answer before we go on without, in milliseconds. */
const ANSWER_MS = 300;

/** One question at a time. A terminal that did not answer once is not asked again until it does. */
export class CursorQuery {
  readonly #write: (text: string) => void;
  #asked: PromiseWithResolvers<Place> | undefined;
  #size: Size | undefined;
  #silent = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Asks; `undefined` without an answer. */
  async ask(): Promise<Place | undefined> {
    if (this.#silent) return undefined;
    const asked = Promise.withResolvers<Place>();
    this.#asked = asked;
    this.#size = undefined;
    this.#write(REQUEST);
    const answer = await within(asked.promise, ANSWER_MS);
    this.#asked = undefined;
    this.#silent = !answer.ok;
    return answer.ok ? answer.value : undefined;
  }

  /** Takes an answer of the terminal, to whatever it was asked. */
  take(reply: string): void {
    const match = REPLY.exec(reply);
    if (match === null) return;
    this.#silent = false;
    const [row = 1, column = 1] = match.slice(1).map(Number);
    if (this.#size === undefined) this.#size = { columns: column, rows: row };
    else this.#asked?.resolve({ row: row - 1, size: this.#size });
  }
}
