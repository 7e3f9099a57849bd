/**
 * When frames are painted.
 *
 * @module
 */

/** Least time between two frames, in milliseconds. */
const FRAME_MS = 16;

/** Calls for frames; at most sixty times a second. */
export class FrameTimer {
  readonly #paint: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due = Infinity;
  #paintedAt = -Infinity;
  #stopped = false;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  /** A frame, as soon as there may be one. */
  soon(): void {
    this.#at(this.#paintedAt + FRAME_MS);
  }

  /** A frame after `ms` milliseconds, unless there is one sooner. */
  after(ms: number): void {
    this.#at(Math.max(performance.now() + ms, this.#paintedAt + FRAME_MS));
  }

  /** A frame is being painted; what was called for is done. */
  painting(): void {
    clearTimeout(this.#timer);
    this.#due = Infinity;
    this.#paintedAt = performance.now();
  }

  /** No frames any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#stopped = true;
  }

  #at(due: number): void {
    if (this.#stopped || due >= this.#due) return;
    clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = setTimeout(() => {
      this.#due = Infinity;
      this.#paint();
    }, Math.max(0, due - performance.now()));
  }
}
