/**
 * Asking the terminal where the cursor is.
 *
 * @module
 */

import { within } from "../../base/clock.ts";

const REQUEST = "\x1b[6n";
// deno-lint-ignore no-control-regex
const REPLY = /^\x1b\[(\d+);\d+R$/;
/** How long a terminal may take to answer before we go on without, in milliseconds. */
const ANSWER_MS = 300;

/** One question at a time. A terminal that did not answer once is not asked again until it does. */
export class CursorQuery {
  readonly #write: (text: string) => void;
  #asked: PromiseWithResolvers<number> | undefined;
  #silent = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** The row of the screen that the cursor is in, counted from 0; `undefined` without an answer. */
  async ask(): Promise<number | undefined> {
    if (this.#silent) return undefined;
    const asked = Promise.withResolvers<number>();
    this.#asked = asked;
    this.#write(REQUEST);
    const answer = await within(asked.promise, ANSWER_MS);
    this.#silent = !answer.ok;
    return answer.ok ? answer.value : undefined;
  }

  /** Takes an answer of the terminal, to whatever it was asked. */
  take(reply: string): void {
    const row = REPLY.exec(reply)?.[1];
    if (row === undefined) return;
    this.#silent = false;
    this.#asked?.resolve(Number(row) - 1);
  }
}
