/**
 * Lines out of bytes, however they are cut.
 *
 * @module
 */

const NEWLINE = 0x0a;
/** A buffer up to this size is kept for the next line. */
const KEPT_CAPACITY = 1024 * 1024;

/**
 * Joins pieces of bytes to lines, in time linear to their number. A line is decoded as a whole:
 * invalid UTF-8 becomes U+FFFD. `\r\n` counts as `\n`.
 */
export class LineBuffer {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #bytes = new Uint8Array(4096);
  #length = 0;
  #overflowed = false;

  /** @param limit longest line in bytes, without its end */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A line was longer than the limit: nothing more is taken. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Bytes of the line that has not ended yet. */
  get pending(): number {
    return this.#length;
  }

  /** Takes the next piece and gives the lines that it completes, without their ends. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    while (!this.#overflowed) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#append(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0 || this.#overflowed) break;
      lines.push(this.#take());
      start = end + 1;
    }
    return lines;
  }

  /** Gives the last line, if it has no newline. To be called at the end of the bytes. */
  end(): string[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #append(part: Uint8Array): void {
    const length = this.#length + part.length;
    // One byte more: the "\r" of a line end does not count.
    if (length > this.#limit + 1) {
      this.#overflowed = true;
      this.#bytes = new Uint8Array();
      this.#length = 0;
      return;
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
  }

  #take(): string {
    const ends = this.#length > 0 && this.#bytes[this.#length - 1] === 0x0d;
    const line = this.#decoder.decode(this.#bytes.subarray(0, this.#length - (ends ? 1 : 0)));
    this.#length = 0;
    if (this.#bytes.length > KEPT_CAPACITY) this.#bytes = new Uint8Array(4096);
    return line;
  }
}
