/**
 * Where our part of the screen is, after the terminal may have moved it.
 *
 * @module
 */

import { CursorQuery } from "./cursor_query.ts";
import type { LiveRegion } from "./live_region.ts";
import { sameSize, type Size, type TerminalDevice } from "./terminal.ts";
import type { Transcript } from "./transcript.ts";

/** Time in which the system and the terminal come to agree on the size, in milliseconds. */
const RELOCATE_MS = 100;
/** Answers for another size after which we go on without. */
const MISPLACED = 5;

/** Finds the region again when the size has changed. */
export class Placement {
  readonly #region: LiveRegion;
  readonly #terminal: TerminalDevice;
  readonly #cursor: CursorQuery;
  /** Asks for a frame after so many milliseconds. */
  readonly #frameAfter: (ms: number) => void;
  /** The terminal is being asked. */
  #asking = false;
  /** It has told, or does not tell. */
  #known = false;
  /** Answers in a row for another size than the system tells. */
  #misplaced = 0;

  constructor(region: LiveRegion, terminal: TerminalDevice, frameAfter: (ms: number) => void) {
    this.#region = region;
    this.#terminal = terminal;
    this.#cursor = new CursorQuery((text) => terminal.ask(text));
    this.#frameAfter = frameAfter;
  }

  /** The window has another size, or had one in between. */
  moved(): void {
    this.#region.invalidate();
    this.#known = false;
  }

  /** Takes an answer of the terminal, to whatever it was asked. */
  take(reply: string): void {
    this.#cursor.take(reply);
  }

  /** False while the terminal is being asked where it has moved the region to. */
  known(size: Size): boolean {
    if (this.#known || !this.#region.displaced(size)) return true;
    if (!this.#asking) void this.#ask();
    return false;
  }

  /** What the terminal has done to the region is what it is: drawing goes on from there. */
  settle(size: Size, transcript: Transcript | undefined): void {
    if (!this.#region.displaced(size)) return;
    const late = this.#terminal.takeLate();
    if (late) this.#region.doubt();
    this.#region.release(transcript?.settle(this.#region.pushedOff(size), late) ?? 0);
    this.#known = false;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const place = await this.#cursor.ask();
    this.#asking = false;
    const unsettled = this.#terminal.unsettledMs;
    if (unsettled > 0) return this.#frameAfter(unsettled);
    // An answer for a size that is no more, or of which we are told later, would mislead.
    if (place !== undefined && !sameSize(place.size, this.#terminal.size)) {
      if (++this.#misplaced < MISPLACED) return this.#frameAfter(RELOCATE_MS);
    } else if (place !== undefined) this.#region.located(place.row);
    this.#misplaced = 0;
    this.#known = true;
    this.#frameAfter(0);
  }
}
