/**
 * The last frames of a connection, kept for a look back.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { redact, redactText } from "./redact.ts";
import type { TraceTap, WireMessage } from "./transport.ts";

/** One thing that was seen. */
export interface TracedFrame {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly direction: "in" | "out" | "note";
  /** JSON of a message, or the text of a note; secrets replaced, shortened. */
  readonly text: string;
}

/** Frames that are kept. */
const FRAMES = 200;

/** Longest frame that is kept whole, in characters; of a longer one the beginning is kept. */
const LONGEST = 4_000;

/** Longer strings and lists of a message that is not kept whole are cut. */
const LONG_TEXT = 500;
const LONG_LIST = 20;

interface KeptFrame {
  readonly at: number;
  readonly direction: TracedFrame["direction"];
  /** The message itself where it is small: making text of it can wait until somebody looks. */
  readonly content: WireMessage | string;
}

/** A tap that keeps the last frames. The work for a frame does not depend on how many are kept. */
export class TraceRing implements TraceTap {
  readonly #frames: KeptFrame[] = [];
  #next = 0;

  frame(direction: "in" | "out", message: WireMessage): void {
    const content = sizeOf(message, LONGEST) < LONGEST ? message : textOf(message);
    this.#keep({ at: Date.now(), direction, content });
  }

  note(text: string): void {
    this.#keep({ at: Date.now(), direction: "note", content: text.slice(0, LONGEST) });
  }

  /** The last frames, the oldest first. */
  last(count: number): readonly TracedFrame[] {
    const ordered = [...this.#frames.slice(this.#next), ...this.#frames.slice(0, this.#next)];
    return ordered.slice(-count).map(({ at, direction, content }) => ({
      at,
      direction,
      text: typeof content !== "string"
        ? textOf(content)
        : direction === "note"
        ? redactText(content)
        : content,
    }));
  }

  #keep(frame: KeptFrame): void {
    this.#frames[this.#next] = frame;
    this.#next = (this.#next + 1) % FRAMES;
  }
}

function textOf(message: WireMessage): string {
  const text = JSON.stringify(redact(shortened(message)));
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** A copy with long strings and lists cut, so that a big message costs little. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length <= LONG_TEXT
      ? value
      : `${value.slice(0, LONG_TEXT)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) {
    const some = value.slice(0, LONG_LIST).map(shortened);
    return value.length <= LONG_LIST ? some : [...some, `… (${value.length} items)`];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shortened(member)]),
  );
}

/** About how many characters a value has, looked at only until `enough` are found. */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value === "string") return value.length + 2;
  if (Array.isArray(value)) {
    let size = 2;
    for (let i = 0; i < value.length && size < enough; i++) size += sizeOf(value[i], enough - size);
    return size;
  }
  if (!isObject(value)) return 4;
  let size = 2;
  for (const key in value) {
    size += key.length + 4 + sizeOf(value[key], enough - size);
    if (size >= enough) break;
  }
  return size;
}
