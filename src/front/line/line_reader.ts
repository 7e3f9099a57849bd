/**
 * Input as lines.
 *
 * @module
 */

import { watchText } from "../../base/watch_text.ts";

/** Stands for a line whose end the terminal has dropped. */
export const CUT_LINE = Symbol("cut line");

/** Most bytes of a line that a terminal keeps while it edits the line itself, its end not counted. */
export const TERMINAL_LINE_BYTES = Deno.build.os === "linux" ? 4_095 : 1_023;

const LINE_FEED = 0x0a;

/** Where the lines come from. */
export interface LineSource {
  /**
   * Whether the terminal neither shows nor edits what is typed: Enter is `\r` then, and Backspace and
   * Ctrl-U are carried out here. Default: it does both.
   */
  readonly hidden?: () => boolean;
  /** Whether a terminal edits the lines: it drops what is too long for it. Default false. */
  readonly terminal?: boolean;
  /** Called once, before the line is given that bytes stand in which are not UTF-8. */
  readonly onNotText?: () => void;
}

/**
 * The lines of a byte stream, without their ends (`\n` or `\r\n`); a last one without an end counts
 * unless it is empty. Bytes that are not UTF-8 become U+FFFD.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  { hidden = () => false, terminal = false, onNotText }: LineSource = {},
): AsyncGenerator<string | typeof CUT_LINE> {
  const decoder = new TextDecoder();
  const isText = watchText();
  let good = true;
  const pieces: string[] = [];
  const reader = stream.getReader();
  try {
    while (true) {
      const { value, done } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (good && !isText(value)) {
        good = false;
        onNotText?.();
      }
      const raw = hidden();
      if (terminal && !raw && !done && isCut(value)) {
        pieces.length = 0;
        yield CUT_LINE;
        continue;
      }
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

/** A terminal hands one line on at a time, and one that it has filled up may have been longer. */
function isCut(read: Uint8Array): boolean {
  return read.length > TERMINAL_LINE_BYTES && read.indexOf(LINE_FEED) === read.length - 1;
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
