/**
 * Messages between us and a tool process, over its stdin and stdout.
 *
 * A tool prints to the same stdout, from another thread. So a message goes out in frames: lines that
 * begin with a secret the tool does not know, each short enough for the system to write in one piece.
 * What is not a frame is something that the tool printed.
 *
 * @module
 */

import { parseJson } from "../base/json.ts";

/** POSIX promises that a pipe takes 512 bytes in one piece; Linux takes 4,096. */
const FRAME_BYTES = Deno.build.os === "linux" ? 4096 : 512;

/** A printed line longer than this comes in pieces. */
const LINE_BYTES = 8 * 1024;

const NEWLINE = 0x0a;
const MORE = 0x2b;
const LAST = 0x3d;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Cuts a JSON value into frames, each to be written by one call. */
export function encodeFrames(secret: string, message: unknown): Uint8Array[] {
  const payload = encoder.encode(JSON.stringify(message));
  const head = encoder.encode(`\n${secret}`);
  const room = FRAME_BYTES - head.length - 2;
  const frames: Uint8Array[] = [];
  for (let at = 0; at < payload.length; at += room) {
    const piece = payload.subarray(at, at + room);
    const frame = new Uint8Array(head.length + 1 + piece.length + 1);
    frame.set(head);
    frame[head.length] = at + room < payload.length ? MORE : LAST;
    frame.set(piece, head.length + 1);
    frame[frame.length - 1] = NEWLINE;
    frames.push(frame);
  }
  return frames;
}

/** What a {@link FrameReader} finds. */
export interface FrameEvents {
  /** A message; `undefined` for what is not JSON. */
  onMessage(message: unknown): void;
  /** A line (or a piece of a very long one) that the tool printed. */
  onPrint(text: string): void;
  /** A message is larger than the limit; nothing more is read. */
  onOverflow(): void;
}

/** Reads frames and prints apart. */
export class FrameReader {
  readonly #secret: Uint8Array;
  readonly #limit: number;
  readonly #events: FrameEvents;
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #message: Uint8Array[] = [];
  #messageBytes = 0;
  #overflown = false;

  /** @param limit bytes of one message. */
  constructor(secret: string, limit: number, events: FrameEvents) {
    this.#secret = encoder.encode(secret);
    this.#limit = limit;
    this.#events = events;
  }

  /** Takes the next bytes of stdout. */
  push(chunk: Uint8Array): void {
    let start = 0;
    while (start < chunk.length && !this.#overflown) {
      const end = chunk.indexOf(NEWLINE, start);
      this.#append(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) {
        if (this.#lineBytes > LINE_BYTES) this.#endLine();
        return;
      }
      this.#endLine();
      start = end + 1;
    }
  }

  #append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#line.push(piece.slice());
    this.#lineBytes += piece.length;
  }

  #endLine(): void {
    if (this.#lineBytes === 0) return;
    const line = join(this.#line, this.#lineBytes);
    this.#line = [];
    this.#lineBytes = 0;
    if (this.#isFrame(line)) this.#takeFrame(line);
    else this.#events.onPrint(decoder.decode(line));
  }

  #isFrame(line: Uint8Array): boolean {
    const { length } = this.#secret;
    return line.length > length && this.#secret.every((byte, index) => line[index] === byte);
  }

  #takeFrame(line: Uint8Array): void {
    const piece = line.subarray(this.#secret.length + 1);
    this.#message.push(piece);
    this.#messageBytes += piece.length;
    if (this.#messageBytes > this.#limit) {
      this.#overflown = true;
      this.#message = [];
      this.#events.onOverflow();
      return;
    }
    if (line[this.#secret.length] !== LAST) return;
    const text = decoder.decode(join(this.#message, this.#messageBytes));
    this.#message = [];
    this.#messageBytes = 0;
    this.#events.onMessage(parseJson(text));
  }
}

function join(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
