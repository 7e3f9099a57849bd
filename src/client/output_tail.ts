/**
 * The newest part of a command's output, as valid UTF-8.
 *
 * @module
 */

/** Keeps the last bytes of an output; never cuts a character in two. */
export class OutputTail {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1_024);
  #length = 0;
  #lost = false;

  /** @param limit bytes that are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True once the beginning of the output is no longer kept. */
  get truncated(): boolean {
    return this.#lost || this.#length > this.#limit;
  }

  /** Takes the next bytes; a character that is cut at their end waits for the rest. */
  push(chunk: Uint8Array): void {
    this.#append(this.#encoder.encode(this.#decoder.decode(chunk, { stream: true })));
  }

  /** Takes what was cut at the end of the last bytes. To be called at the end of the output. */
  end(): void {
    this.#append(this.#encoder.encode(this.#decoder.decode()));
  }

  /** The kept output, or its last `most` bytes. */
  text(most: number = this.#limit): string {
    const size = Math.min(most, this.#limit);
    let start = Math.max(0, this.#length - size);
    while (start > 0 && start < this.#length && isContinuation(this.#bytes[start])) start++;
    return new TextDecoder("utf-8", { ignoreBOM: true })
      .decode(this.#bytes.subarray(start, this.#length));
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#bytes.length) this.#makeRoom(bytes.length);
    // More at once than is kept at all: only its end counts.
    const kept = bytes.subarray(Math.max(0, bytes.length - (this.#bytes.length - this.#length)));
    if (kept.length < bytes.length) this.#lost = true;
    this.#bytes.set(kept, this.#length);
    this.#length += kept.length;
  }

  /** Grows to twice the limit at most, then drops what is older than the limit. */
  #makeRoom(needed: number): void {
    const most = Math.max(2 * this.#limit, 1_024);
    const wanted = Math.max(2 * this.#bytes.length, this.#length + needed);
    if (this.#bytes.length < most) {
      const grown = new Uint8Array(Math.min(most, wanted));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
      if (this.#length + needed <= grown.length) return;
    }
    const keep = Math.max(0, Math.min(this.#length, this.#limit, this.#bytes.length - needed));
    if (keep < this.#length) this.#lost = true;
    this.#bytes.copyWithin(0, this.#length - keep, this.#length);
    this.#length = keep;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
