/**
 * Which frames the terminal has drawn: behind each of them it is asked for a sign of life.
 *
 * @module
 */

import { within } from "../../base/clock.ts";

/** Asks for a sign of life, which every terminal answers at once. */
const STATUS_REQUEST = "\x1b[5n";
/** That sign. */
export const STATUS_REPLY = "\x1b[0n";

/** Frames without an answer after which a terminal is taken for one that never answers. */
const UNANSWERED = 20;
/** How long a frame may be on its way to such a terminal, in milliseconds. */
const ON_ITS_WAY_MS = 16;

/** Counts what the terminal has still to answer. */
export class FrameConfirmations {
  #pending = 0;
  /** When the last frame was written. */
  #frameAt = -Infinity;
  /** Whether the terminal answers, as far as is known. */
  #answers: boolean | undefined;
  #drained: (() => void) | undefined;
  /** A frame may have arrived after the size had changed. */
  #late = false;

  /** Whether answers are to come. */
  get pending(): boolean {
    return this.#pending > 0;
  }

  /** A frame as it is written now, with a request behind it unless the terminal never answers. */
  frame(text: string): string {
    this.#frameAt = performance.now();
    if (this.#answers === undefined && this.#pending > UNANSWERED) this.#answers = false;
    return this.#answers === false ? text : text + this.request();
  }

  /** A request that is written now, behind no frame. */
  request(): string {
    this.#pending++;
    return STATUS_REQUEST;
  }

  /** Takes an answer of the terminal; true when it was one of these. */
  take(reply: string): boolean {
    if (reply !== STATUS_REPLY) return false;
    this.#answers = true;
    this.#pending = Math.max(0, this.#pending - 1);
    if (this.#pending === 0) this.#drained?.();
    return true;
  }

  /** The size has changed: what is on its way then may arrive for the new one. */
  sizeChanged(): void {
    const onItsWay = this.#answers === true
      ? this.#pending > 0
      : performance.now() - this.#frameAt < ON_ITS_WAY_MS;
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

  /** Settles when every answer that can be expected has come, after so many milliseconds at most. */
  async arrived(ms: number): Promise<void> {
    if (this.#answers !== true || this.#pending === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    await within(promise, ms);
    this.#drained = undefined;
  }

  /** Expects no answer of a terminal that has never given one. */
  forgetUnsure(): void {
    if (this.#answers !== true) this.forget();
  }

  /** Expects no answer any more. */
  forget(): void {
    this.#pending = 0;
  }
}
