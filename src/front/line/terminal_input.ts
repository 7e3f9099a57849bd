/**
 * What the terminal does with the line that is being entered: it shows it and edits it, or neither.
 *
 * @module
 */

import { TERMINAL_LINE_BYTES } from "./line_reader.ts";

/** Hides secrets, and a line that the terminal has cut and that is entered once more. */
export class TerminalInput {
  readonly #hideInput: (hide: boolean) => boolean;
  #secret = false;
  /** A line that was too long for the terminal is expected once more, by itself. */
  #again = false;
  #hidden = false;

  /** @param hideInput turns the terminal's echo off or on; gives whether it is off. Default: stdin's */
  constructor(hideInput: (hide: boolean) => boolean = hideStdin) {
    this.#hideInput = hideInput;
  }

  /** Whether the terminal neither shows nor edits what is typed. */
  get hidden(): boolean {
    return this.#hidden;
  }

  /** Whether the next line is a secret. */
  set secret(secret: boolean) {
    this.#secret = secret;
    this.#apply();
  }

  /**
   * Lets a line be entered whole that the terminal has cut: nothing that is cut is sent. Gives what to
   * say about it.
   */
  askAgain(): readonly string[] {
    this.#again = true;
    this.#apply();
    return [
      `That line was not sent: the terminal keeps ${TERMINAL_LINE_BYTES} bytes of a line and drops the rest.`,
      "Paste it once more and press Enter: it is taken whole and not shown. Ctrl-C gives it up.",
    ];
  }

  /** Whether a line was expected once more; now it is not. */
  takeAgain(): boolean {
    const again = this.#again;
    this.#again = false;
    this.#apply();
    return again;
  }

  /** Leaves the terminal as it was. */
  restore(): void {
    this.#secret = this.#again = false;
    this.#apply();
  }

  #apply(): void {
    const hide = this.#secret || this.#again;
    if (hide !== this.#hidden) this.#hidden = this.#hideInput(hide);
  }
}

function hideStdin(hide: boolean): boolean {
  if (!Deno.stdin.isTerminal()) return false;
  // Ctrl-C stays a signal.
  Deno.stdin.setRaw(hide, { cbreak: hide });
  return hide;
}
