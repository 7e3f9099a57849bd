/**
 * Which frames the terminal has drawn, and what it has still to answer: it is asked for a sign of
 * life behind what it shall confirm or answer.
 *
 * There is never more than one such question for frames on its way, so that little is left for
 * whoever reads the terminal next when the program is killed.
 *
 * @module
 */

import { within } from "../../base/clock.ts";

/** Asks for a sign of life, which every terminal answers at once. */
const STATUS_REQUEST = "\x1b[5n";
/** That sign. */
export const STATUS_REPLY = "\x1b[0n";

/** A terminal that has not answered for this time never answers, in milliseconds. */
const SILENT_MS = 1_000;
/** An answer of one that does answer is lost after this time, in milliseconds. */
const LOST_MS = 5_000;
/** How long one that has answered is waited for, in milliseconds; more when it is slow. */
const PATIENCE_MS = 300;
/** How many times as long as its last answer took. */
const PATIENCE = 3;
/** How long a frame may be on its way to a terminal that never answers, in milliseconds. */
const ON_ITS_WAY_MS = 16;

/** Numbers what the terminal is asked, and knows which of that is answered. */
export class FrameConfirmations {
  readonly #write: (text: string) => void;
  readonly #now: () => number;
  #asked = 0;
  #answered = 0;
  /** When it was asked last, and how long the last answer took. */
  #askedAt = -Infinity;
  #took = 0;
  /** The number of what confirms the last frame; it may be yet to be asked. */
  #frame = 0;
  #frameAt = -Infinity;
  /** Whether the terminal answers, as far as is known. */
  #answers: boolean | undefined;
  #drained: (() => void) | undefined;
  /** A frame may have arrived after the size had changed. */
  #late = false;

  constructor(write: (text: string) => void, now: () => number = () => performance.now()) {
    this.#write = write;
    this.#now = now;
  }

  /** Whether answers are to come. */
  get pending(): boolean {
    return this.#answered < this.#asked;
  }

  /** How long answers may still take, in milliseconds; 0 when none can be expected. */
  get patienceMs(): number {
    if (!this.pending) return 0;
    const most = this.#answers === undefined
      ? SILENT_MS
      : Math.min(LOST_MS, Math.max(PATIENCE_MS, this.#took * PATIENCE));
    return Math.max(0, this.#askedAt + most - this.#now());
  }

  /** Writes a frame, which the terminal confirms unless it never answers. */
  frame(text: string): void {
    this.#frameAt = this.#now();
    this.#giveUp();
    if (this.pending || this.#answers === false) {
      this.#frame = this.#asked + 1;
      return this.#write(text);
    }
    this.ask(text);
    this.#frame = this.#asked;
  }

  /** Writes what the terminal answers, or nothing, and asks behind it. */
  ask(text = ""): void {
    this.#asked++;
    this.#askedAt = this.#now();
    this.#write(text + STATUS_REQUEST);
  }

  /** Takes an answer of the terminal; true when it was one of these. */
  take(reply: string): boolean {
    if (reply !== STATUS_REPLY) return false;
    this.#answers = true;
    if (this.pending) {
      this.#answered++;
      this.#took = this.#now() - this.#askedAt;
    }
    if (this.pending) return true;
    if (this.#drained !== undefined) this.#drained();
    // Frames that came meanwhile: there may be no further one for a long time.
    else if (this.#frame > this.#asked) this.ask();
    return true;
  }

  /** The size has changed: what is on its way then may arrive for the new one. */
  sizeChanged(): void {
    const onItsWay = this.#answers === true
      ? this.#frame > this.#answered
      : this.#now() - this.#frameAt < ON_ITS_WAY_MS;
    if (onItsWay) this.#late = true;
  }

  /**
   * Whether the last frame before a change of size may have arrived after it: it was made for
   * another size then, and nobody knows what has become of it. Asked once for each change.
   */
  takeLate(): boolean {
    const late = this.#late;
    this.#late = false;
    return late;
  }

  /** Settles when every answer that can be expected has come; in bounded time. */
  async arrived(): Promise<void> {
    const { patienceMs } = this;
    if (patienceMs === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    await within(promise, patienceMs);
    this.#drained = undefined;
  }

  /** Expects no answer any more. */
  forget(): void {
    this.#answered = this.#asked;
  }

  /** An answer that has not come for long does not come. */
  #giveUp(): void {
    if (!this.pending) return;
    const bound = this.#answers === undefined ? SILENT_MS : LOST_MS;
    if (this.#now() - this.#askedAt < bound) return;
    this.#answers ??= false;
    this.forget();
  }
}
