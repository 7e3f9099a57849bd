/**
 * The last bytes of an endless stream of text.
 *
 * @module
 */

import { Listeners, type Unsubscribe } from "../base/listeners.ts";

/** Longest line that listeners get in one piece, in UTF-16 units; a longer one comes in parts. */
const MAX_LINE = 16 * 1024;

/** Keeps the last bytes of what is pushed, in a ring of fixed size, and tells lines to listeners. */
export class TailBuffer {
  readonly #ring: Uint8Array;
  readonly #decoder = new TextDecoder();
  readonly #lines = new Listeners<string>();
  #total = 0;
  #line = "";

  /** @param limit bytes that are kept */
  constructor(limit: number) {
    this.#ring = new Uint8Array(Math.max(1, limit));
  }

  /** Takes the next bytes and gives them decoded (a character cut at the end comes with the next). */
  push(chunk: Uint8Array): string {
    const size = this.#ring.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - size));
    const start = (this.#total + chunk.length - kept.length) % size;
    const untilEnd = Math.min(kept.length, size - start);
    this.#ring.set(kept.subarray(0, untilEnd), start);
    this.#ring.set(kept.subarray(untilEnd), 0);
    this.#total += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    this.#split(text);
    return text;
  }

  /** Tells the last line if it has no newline. To be called at the end of the stream. */
  end(): void {
    this.#split(this.#decoder.decode());
    if (this.#line !== "") this.#lines.emit(this.#line);
    this.#line = "";
  }

  /** Starts to watch: the function gives what of the text that came since then is kept. */
  watch(): () => string {
    const begun = this.#total;
    return () => this.text(begun);
  }

  /**
   * The kept text, from a number of bytes on; when its beginning is lost it starts with a whole line,
   * if there is one.
   */
  text(from = 0): string {
    const decoder = new TextDecoder();
    const lost = this.#total - this.#ring.length;
    if (from > lost || lost <= 0) {
      const bytes = new Uint8Array(this.#total - Math.max(0, from));
      const start = from % this.#ring.length;
      const untilEnd = Math.min(bytes.length, this.#ring.length - start);
      bytes.set(this.#ring.subarray(start, start + untilEnd));
      bytes.set(this.#ring.subarray(0, bytes.length - untilEnd), untilEnd);
      return decoder.decode(bytes);
    }
    const start = this.#total % this.#ring.length;
    const bytes = new Uint8Array(this.#ring.length);
    bytes.set(this.#ring.subarray(start), 0);
    bytes.set(this.#ring.subarray(0, start), this.#ring.length - start);
    const newline = bytes.indexOf(0x0a);
    if (newline >= 0 && newline < bytes.length - 1) {
      return decoder.decode(bytes.subarray(newline + 1));
    }
    const whole = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
    return decoder.decode(bytes.subarray(Math.max(0, whole)));
  }

  /** Calls `listener`, which must not throw, with each further complete line, without its end. */
  onLine(listener: (line: string) => void): Unsubscribe {
    return this.#lines.add(listener);
  }

  #split(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = this.#line + text.slice(start, end);
      this.#line = "";
      this.#lines.emit(line.endsWith("\r") ? line.slice(0, -1) : line);
      start = end + 1;
    }
    this.#line += text.slice(start);
    if (this.#line.length > MAX_LINE) {
      this.#lines.emit(this.#line);
      this.#line = "";
    }
  }
}
