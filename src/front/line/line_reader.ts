/**
 * Input as lines.
 *
 * @module
 */

/**
 * The lines of a byte stream, without their ends (`\n` or `\r\n`); a last one without an end counts
 * unless it is empty. Bytes that are not UTF-8 become U+FFFD.
 */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const reader = stream.getReader();
  try {
    while (true) {
      const { value, done } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const [first = "", ...rest] = text.split("\n");
      pieces.push(first);
      for (const line of rest) {
        yield withoutReturn(pieces.splice(0).join(""));
        pieces.push(line);
      }
      if (!done) continue;
      const last = pieces.join("");
      if (last !== "") yield withoutReturn(last);
      return;
    }
  } finally {
    reader.releaseLock();
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
