/**
 * Input as lines.
 *
 * @module
 */

/**
 * The lines of a byte stream, without their ends (`\n` or `\r\n`); a last one without an end counts
 * unless it is empty. Bytes that are not UTF-8 become U+FFFD.
 *
 * @param hidden whether the terminal neither shows nor edits what is typed: Enter is `\r` then, and
 * Backspace and Ctrl-U are carried out here
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  hidden: () => boolean = () => false,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const reader = stream.getReader();
  try {
    while (true) {
      const { value, done } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const raw = hidden();
      const [first = "", ...rest] = text.split(raw ? /[\r\n]/ : "\n");
      pieces.push(first);
      for (const line of rest) {
        const whole = pieces.splice(0).join("");
        yield raw ? edited(whole) : withoutReturn(whole);
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

function edited(typed: string): string {
  const kept: string[] = [];
  for (const character of typed) {
    if (character === "\x15") kept.length = 0;
    else if (character === "\x7f" || character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
