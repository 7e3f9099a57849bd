/**
 * A child that can start nothing.
 *
 * @module
 */

/** A child and what it has started, as far as it has to be ended. */
export interface Family {
  /** Says that the child itself has been waited for: its pid may be given to another process. */
  rootEnded(): void;
  /** Those that live now. */
  members(): readonly { readonly pid: number }[];
  /** Signals every member; returns whether there was one. */
  signal(signal: Deno.Signal): boolean;
}

/** A family of one: the process table, which takes long to read, need not be looked at. */
export class LoneProcess implements Family {
  readonly #child: Deno.ChildProcess;
  #ended = false;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  rootEnded(): void {
    this.#ended = true;
  }

  members(): readonly Deno.ChildProcess[] {
    return this.#ended ? [] : [this.#child];
  }

  signal(signal: Deno.Signal): boolean {
    if (this.#ended) return false;
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended since.
    }
    return true;
  }
}
