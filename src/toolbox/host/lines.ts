/** @module */

/** Bytes that are read at once. */
const PIECE = 64 * 1024;

/** What lines are read from: a file such as stdin. Faster than its stream, once for each call. */
export interface LineSource {
  /** Fills the beginning of the buffer; the number of bytes, or `null` at the end. */
  read(buffer: Uint8Array): Promise<number | null>;
}

/** The lines of UTF-8 text, without their ends; empty ones and an unfinished last one are left out. */
export async function* readLines(source: LineSource): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(PIECE);
  let rest = "";
  for (;;) {
    const count = await source.read(buffer);
    if (count === null) return;
    const lines = decoder.decode(buffer.subarray(0, count), { stream: true }).split("\n");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}
