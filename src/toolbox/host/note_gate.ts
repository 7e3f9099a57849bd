/** @module */

/** Lines that may pass at once. */
const BURST = 500;

/** Lines that may pass in a second after that. */
const RATE = 100;

/** What a tool says about a call. */
export type Note = { readonly kind: "log" | "progress"; readonly text: string };

/** Passes on what a tool says about a call, but for what comes faster than anybody could read. */
export class NoteGate {
  readonly #pass: (note: Note) => void;
  #left = BURST;
  #lastAt = Date.now();
  #dropped = 0;

  constructor(pass: (note: Note) => void) {
    this.#pass = pass;
  }

  /** Takes one more line. */
  say(note: Note, now = Date.now()): void {
    this.#left = Math.min(BURST, this.#left + Math.max(0, now - this.#lastAt) * RATE / 1_000);
    this.#lastAt = now;
    if (this.#left < 1) {
      this.#dropped++;
      return;
    }
    this.#left--;
    this.end();
    this.#pass(note);
  }

  /** Tells how many lines were held back, if any were. */
  end(): void {
    if (this.#dropped === 0) return;
    const count = this.#dropped === 1 ? "1 line was" : `${this.#dropped} lines were`;
    this.#dropped = 0;
    this.#pass({ kind: "log", text: `… ${count} too many at once and left out` });
  }
}
