/**
 * Bytes from the keyboard as events: text, keys, pastes, and answers of the terminal.
 *
 * @module
 */

import { STATUS_REPLY } from "./frame_confirmations.ts";

/** One thing that came from the keyboard. */
export type InputEvent =
  /** Printable characters, as many as came together. */
  | { readonly type: "text"; readonly text: string }
  /** One key that is not a printable character, as its byte sequence. */
  | { readonly type: "key"; readonly data: string }
  /** Pasted text, as it came. */
  | { readonly type: "paste"; readonly text: string }
  /** The terminal's window was given or lost the focus. */
  | { readonly type: "focus"; readonly focused: boolean }
  /** An answer of the terminal to a question of ours. */
  | { readonly type: "reply"; readonly data: string };

const ESC = "\x1b";
const PASTE_START = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const REPLY: InputEvent = { type: "reply", data: STATUS_REPLY };
const REPLY_BYTES = [...new TextEncoder().encode(STATUS_REPLY)];
const CTRL_C = "\x03";
const KITTY_CTRL_C = "\x1b[99;5u";

/** How long the decoder may be left with an unfinished piece, in milliseconds. */
const WAITS = {
  /** A lone ESC: the key, or the start of a sequence. */
  escape: 30,
  /** Any other unfinished sequence. */
  sequence: 150,
  /** After the end of a paste: a second end marker means that the first one was pasted text. */
  pasteTail: 40,
  /** In a paste whose end marker does not come. */
  paste: 3_000,
} as const;

/** A Ctrl-C that comes alone, this long after the last of a paste, leaves the paste. */
const PASTE_QUIET_MS = 200;

/** Turns input into events. The caller arranges for {@link InputDecoder.flush} after `waitMs`. */
export class InputDecoder {
  readonly #utf8 = new TextDecoder();
  readonly #now: () => number;
  #buffer = "";
  /** Text of the paste that has begun; `undefined` outside a paste. */
  #paste: string | undefined;
  /** The paste has ended, unless another end marker follows in {@link InputDecoder.#buffer}. */
  #ended = false;
  #lastAt = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * How long to wait from now on for more before {@link InputDecoder.flush}; `undefined` when
   * nothing is open.
   */
  get waitMs(): number | undefined {
    const wait = this.#wait;
    return wait === undefined ? undefined : Math.max(0, this.#lastAt + wait - this.#now());
  }

  get #wait(): number | undefined {
    if (this.#ended) return WAITS.pasteTail;
    if (this.#paste !== undefined) return WAITS.paste;
    if (this.#buffer === "") return undefined;
    return this.#buffer === ESC ? WAITS.escape : WAITS.sequence;
  }

  /** Takes what was read. */
  push(bytes: Uint8Array): InputEvent[] {
    const { keys, replies } = withoutReplies(bytes);
    // When nobody has touched a key, what is open is as old as before.
    const events = keys.length === 0 ? [] : this.#pushKeys(keys);
    return [...events, ...Array.from({ length: replies }, () => REPLY)];
  }

  #pushKeys(keys: Uint8Array): InputEvent[] {
    const text = this.#utf8.decode(keys, { stream: true });
    const quiet = this.#now() - this.#lastAt;
    this.#lastAt = this.#now();
    const events: InputEvent[] = [];
    if (
      this.#paste !== undefined && (text === CTRL_C || text === KITTY_CTRL_C) &&
      quiet > PASTE_QUIET_MS
    ) {
      this.#finishPaste(events);
    }
    this.#buffer += text;
    this.#drain(events);
    return events;
  }

  /** Nothing more came: what is unfinished is taken as it is. */
  flush(): InputEvent[] {
    const events: InputEvent[] = [];
    if (this.#paste !== undefined) {
      this.#finishPaste(events);
      this.#drain(events);
    }
    const rest = this.#buffer;
    this.#buffer = "";
    if (rest === ESC + ESC) events.push({ type: "key", data: ESC }, { type: "key", data: ESC });
    else if (rest !== "") events.push({ type: "key", data: rest });
    return events;
  }

  #drain(events: InputEvent[]): void {
    for (;;) {
      if (this.#paste !== undefined) {
        if (!this.#readPaste(events)) return;
        continue;
      }
      if (this.#buffer === "") return;
      if (this.#buffer.startsWith(PASTE_START)) {
        this.#paste = "";
        this.#buffer = this.#buffer.slice(PASTE_START.length);
        continue;
      }
      const length = pieceLength(this.#buffer);
      if (length === 0) return;
      events.push(eventOf(this.#buffer.slice(0, length)));
      this.#buffer = this.#buffer.slice(length);
    }
  }

  /** Reads on in a paste. False when more input is needed. */
  #readPaste(events: InputEvent[]): boolean {
    const end = this.#buffer.indexOf(PASTE_END);
    const start = this.#ended ? this.#buffer.indexOf(PASTE_START) : -1;
    if (end >= 0 && (start < 0 || end < start)) {
      this.#paste += this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + PASTE_END.length);
      this.#ended = true;
      return true;
    }
    if (start >= 0) {
      this.#finishPaste(events);
      return true;
    }
    if (!this.#ended) {
      // Everything but what may be the beginning of an end marker belongs to the paste.
      const keep = markerPrefix(this.#buffer);
      this.#paste += this.#buffer.slice(0, this.#buffer.length - keep);
      this.#buffer = this.#buffer.slice(this.#buffer.length - keep);
    }
    return false;
  }

  #finishPaste(events: InputEvent[]): void {
    // An answer that came in two reads.
    events.push({ type: "paste", text: (this.#paste ?? "").replaceAll(STATUS_REPLY, "") });
    this.#paste = undefined;
    this.#ended = false;
  }
}

/**
 * Takes out the answers to what the terminal is asked behind each frame: they come at any time, in
 * the middle of a paste, of its end marker and of a character, too.
 */
function withoutReplies(bytes: Uint8Array): { keys: Uint8Array; replies: number } {
  const starts: number[] = [];
  for (let at = bytes.indexOf(0x1b); at >= 0; at = bytes.indexOf(0x1b, at + 1)) {
    if (REPLY_BYTES.every((byte, index) => bytes[at + index] === byte)) starts.push(at);
  }
  if (starts.length === 0) return { keys: bytes, replies: 0 };
  const keys = new Uint8Array(bytes.length - starts.length * REPLY_BYTES.length);
  let from = 0;
  let to = 0;
  for (const start of [...starts, bytes.length]) {
    keys.set(bytes.subarray(from, start), to);
    to += start - from;
    from = start + REPLY_BYTES.length;
  }
  return { keys, replies: starts.length };
}

/** Length of the longest end of `text` that is a beginning of the end marker. */
function markerPrefix(text: string): number {
  for (let length = Math.min(PASTE_END.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(PASTE_END.slice(0, length))) return length;
  }
  return 0;
}

/** Length of the first whole piece of `text`, or 0 when it is not whole yet. */
function pieceLength(text: string): number {
  // deno-lint-ignore no-control-regex
  const printable = /^[^\x00-\x1f\x7f]+/.exec(text);
  if (printable !== null) return printable[0].length;
  if (!text.startsWith(ESC)) return 1;
  switch (text.charAt(1)) {
    case "":
      return 0;
    case "[":
      return csiLength(text);
    case "]":
    case "P":
    case "_":
    case "^":
      return stringLength(text);
    case "O":
      return text.length < 3 ? 0 : 3;
    case ESC:
      // ESC itself, before the sequence of the next key.
      return text.length === 2 ? 0 : 1;
    default:
      return (text.codePointAt(1) ?? 0) > 0xffff ? 3 : 2;
  }
}

function csiLength(text: string): number {
  // deno-lint-ignore no-control-regex
  const match = /^\x1b\[\[?[0-?]*[ -/]*([@-~])/.exec(text);
  if (match !== null) return match[0].length;
  // Not a sequence after all: ESC [ typed by hand, followed by something else.
  // deno-lint-ignore no-control-regex
  return /^\x1b\[\[?[0-?]*[ -/]*$/.test(text) ? 0 : 2;
}

function stringLength(text: string): number {
  // deno-lint-ignore no-control-regex
  const end = /\x07|\x1b\\/.exec(text.slice(2));
  if (end !== null) return 2 + end.index + end[0].length;
  // An Alt key, not an answer of the terminal: those begin with a digit, "G", ">" or "!".
  // deno-lint-ignore no-control-regex
  return /^\x1b(?:\]\d|P[>!01]|_G)|^\x1b[\]P_^]$/.test(text) ? 0 : 2;
}

function eventOf(piece: string): InputEvent {
  const first = piece.charCodeAt(0);
  if (first >= 0x20 && first !== 0x7f) return { type: "text", text: piece };
  if (piece === "\x1b[I" || piece === "\x1b[O") {
    return { type: "focus", focused: piece === "\x1b[I" };
  }
  return isReply(piece) ? { type: "reply", data: piece } : { type: "key", data: piece };
}

function isReply(piece: string): boolean {
  // deno-lint-ignore no-control-regex
  return /^\x1b(?:\[\?[\d;$]*[a-zA-Z]|\[\d+;\d+R|\[0n|\[\d+;\d+;\d+t|[\]P_^].)/.test(piece);
}
