/**
 * Finished lines that come from elsewhere than the transcript, for the next frame.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import type { ViewContext } from "./entries/context.ts";
import type { Transcript, TranscriptLines } from "./transcript.ts";

/** Collects them, and puts them around what the transcript adds. */
export class Above {
  #before: string[] = [];
  #after: string[] = [];
  /** A frame was made. */
  #begun = false;

  /** Adds a block below what the transcript adds, with a blank line before it. */
  add(lines: readonly string[]): void {
    const first = this.#after.length === 0 && !this.#begun;
    append(this.#after, first || lines[0] === "" ? lines : ["", ...lines]);
  }

  /** Adds lines above what the transcript adds. */
  addBefore(lines: readonly string[]): void {
    append(this.#before, lines);
  }

  /** The lines of the next frame, with what the transcript has for it; at most `rows` are live. */
  frame(transcript: Transcript | undefined, view: ViewContext, rows: number): TranscriptLines {
    if (this.#before.length > 0) transcript?.interrupt();
    const { finished, live } = transcript?.frame(view, rows) ?? { finished: [], live: [] };
    if (this.#after.length > 0) transcript?.interrupt();
    const all = [...this.#before, ...finished, ...this.#after];
    this.#before = [];
    this.#after = [];
    this.#begun = true;
    return { finished: all, live };
  }
}
