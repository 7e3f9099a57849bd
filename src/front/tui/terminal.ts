/**
 * The terminal as a device: raw mode and other modes, reading, writing, size, suspending.
 *
 * @module
 */

import { within } from "../../base/clock.ts";
import { FrameConfirmations } from "./frame_confirmations.ts";

/** Columns and rows. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Whether two sizes are the same. */
export function sameSize(a: Size, b: Size): boolean {
  return a.columns === b.columns && a.rows === b.rows;
}

/** What the terminal tells. */
export interface TerminalEvents {
  /** Bytes were typed. */
  input(bytes: Uint8Array): void;
  /** The keyboard is gone: the window was closed. */
  inputEnded(): void;
  /** The size may be another one. */
  resized(): void;
  /** The program goes on after it was stopped; the screen below the cursor is not ours any more. */
  continued(): void;
}

/** What is known of the terminal. */
export interface TerminalTraits {
  /** Without, not even a reset of attributes is written. */
  readonly colours: boolean;
  /** It is a pane of tmux. */
  readonly tmux: boolean;
}

const SAVE_TITLE = "\x1b[22;0t";
const RESTORE_TITLE = "\x1b[23;0t";
/** Bracketed paste, focus reports, the kitty keyboard protocol (keys told apart, with their base
 * layout) and, for terminals without it, modified keys as xterm reports them. */
const MODES_ON = "\x1b[?2004h\x1b[?1004h\x1b[>5u\x1b[>4;1m";
const MODES_OFF = "\x1b[?2026l\x1b[?7h\x1b[?2004l\x1b[?1004l\x1b[<u\x1b[>4m\x1b[?25h";
const ATTRIBUTES_OFF = "\x1b[0m";

/** How long a terminal may take to answer before we go on without, in milliseconds. */
const ANSWER_MS = 300;
/**
 * A size that has not changed for this time is taken as the one that stays, in milliseconds. tmux
 * tells of a second change a quarter of a second after the first, when it has long been made.
 */
const SETTLE_MS = { tmux: 300, other: 60 };
/** A stop that does not come within this time does not come at all: nobody could continue us. */
const STOP_MS = 300;

const encoder = new TextEncoder();
let active: TerminalDevice | undefined;

/**
 * Puts the terminal back as it was found: cooked mode, cursor shown, bracketed paste, focus reports
 * and keyboard protocols off, attributes reset. For signals and crashes; synchronous, never throws,
 * and does nothing when no terminal is in use.
 */
export function restoreTerminal(): void {
  active?.restore();
}

/** The terminal on stdin and stdout. */
export class TerminalDevice {
  readonly #events: TerminalEvents;
  readonly #colours: boolean;
  readonly #settleMs: number;
  readonly #onWindowChange = () => {
    this.#changed();
    this.#events.resized();
  };
  readonly #onContinue = () => this.#continue();
  /** The size as it was last looked at, and when it was seen to change. */
  #lastSize: Size | undefined;
  #changedAt = -Infinity;
  readonly #confirmations = new FrameConfirmations((text) => this.write(text));
  #raw = false;
  #reading: Promise<void> | undefined;
  #paused = false;
  /** A read is under way. */
  #waitsForKeys = false;
  #waiting = "";
  #writing: Promise<void> | undefined;
  #gone = false;
  /** Settles the wait of {@link TerminalDevice.suspend}. */
  #resume: (() => void) | undefined;

  constructor(events: TerminalEvents, { colours, tmux }: TerminalTraits) {
    this.#events = events;
    this.#colours = colours;
    this.#settleMs = tmux ? SETTLE_MS.tmux : SETTLE_MS.other;
  }

  /** Takes the terminal: modes on, reading begins. */
  start(): void {
    active = this;
    Deno.addSignalListener("SIGWINCH", this.#onWindowChange);
    Deno.addSignalListener("SIGCONT", this.#onContinue);
    this.write(SAVE_TITLE);
    this.#enter();
    this.#read();
  }

  /** The size; 80 × 24 when the terminal does not know it. */
  get size(): Size {
    try {
      const { columns, rows } = Deno.consoleSize();
      return { columns: columns || 80, rows: rows || 24 };
    } catch {
      return { columns: 80, rows: 24 };
    }
  }

  /**
   * How long the size may still be changing, in milliseconds; 0 when it has stayed the same for a
   * moment. What is written for a size that is no more ends up in the wrong rows.
   */
  get unsettledMs(): number {
    const now = performance.now();
    const { size } = this;
    if (this.#lastSize !== undefined && !sameSize(this.#lastSize, size)) this.#changed();
    this.#lastSize = size;
    return Math.max(0, this.#changedAt + this.#settleMs - now);
  }

  /** See {@link FrameConfirmations.takeLate}. */
  takeLate(): boolean {
    return this.#confirmations.takeLate();
  }

  /** Writes a frame, which the terminal is asked to confirm. */
  writeFrame(text: string): void {
    if (text !== "") this.#confirmations.frame(text);
  }

  /** Writes what the terminal answers: nobody else shall read its answer. */
  ask(text: string): void {
    if (text !== "") this.#confirmations.ask(text);
  }

  /** Takes an answer of the terminal; true when it was the confirmation of a frame. */
  confirm(reply: string): boolean {
    return this.#confirmations.take(reply);
  }

  /** True while output that was given to {@link TerminalDevice.write} is on its way. */
  get busy(): boolean {
    return this.#writing !== undefined;
  }

  /** Writes in order, without waiting. */
  write(text: string): void {
    if (text === "" || this.#gone) return;
    this.#waiting += text;
    this.#writing ??= this.#writeOut();
  }

  /** Settles when everything was written. */
  async flushed(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Gives the terminal back. The cursor stays where it is. */
  async stop(): Promise<void> {
    await within(this.flushed(), ANSWER_MS);
    // Nobody else shall read what the terminal has still to answer.
    await this.#confirmations.arrived();
    this.restore();
    Deno.removeSignalListener("SIGWINCH", this.#onWindowChange);
    Deno.removeSignalListener("SIGCONT", this.#onContinue);
  }

  /** See {@link restoreTerminal}. */
  restore(): void {
    if (active !== this) return;
    active = undefined;
    this.#gone = true;
    this.#leave(RESTORE_TITLE);
  }

  /**
   * Stops the program as Ctrl-Z does in other programs, and settles when it goes on. Where nobody
   * could continue it, it is not stopped.
   */
  async suspend(): Promise<void> {
    await this.flushed();
    await this.#confirmations.arrived();
    this.#leave();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    // The whole job stops, as the shell expects; our children have process groups of their own.
    Deno.kill(0, "SIGTSTP");
    await within(promise, STOP_MS);
    this.#resume = undefined;
    this.#enter();
  }

  /** Lets another program have the terminal while `work` runs. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    await this.#pauseReading();
    await this.flushed();
    this.#leave();
    try {
      return await work();
    } finally {
      this.#enter();
      this.#paused = false;
      this.#read();
    }
  }

  #changed(): void {
    this.#changedAt = performance.now();
    this.#confirmations.sizeChanged();
  }

  #enter(): void {
    this.#setRaw(true);
    this.write(MODES_ON);
  }

  #leave(more = ""): void {
    try {
      writeAllSync(MODES_OFF + (this.#colours ? ATTRIBUTES_OFF : "") + more);
    } catch {
      // The terminal has gone; its modes went with it.
    }
    this.#setRaw(false);
  }

  #setRaw(on: boolean): void {
    if (!on && !this.#raw) return;
    this.#raw = on;
    try {
      Deno.stdin.setRaw(on);
    } catch {
      // The terminal has gone.
    }
  }

  #continue(): void {
    if (this.#resume !== undefined) {
      this.#resume();
      return;
    }
    if (!this.#raw) return;
    // Stopped and continued from outside: a shell would have set its own modes meanwhile.
    const untouched = isRaw();
    this.#enter();
    if (untouched) this.#onWindowChange();
    else this.#events.continued();
  }

  #read(): void {
    this.#reading ??= this.#readOn().finally(() => this.#reading = undefined);
  }

  async #readOn(): Promise<void> {
    const bytes = new Uint8Array(65_536);
    while (!(this.#paused && !this.#confirmations.pending) && !this.#gone) {
      this.#waitsForKeys = true;
      const count = await Deno.stdin.read(bytes).catch(() => null);
      this.#waitsForKeys = false;
      if (count === null) return this.#events.inputEnded();
      this.#events.input(bytes.slice(0, count));
    }
  }

  /**
   * A read that waits cannot be taken back, so the terminal is asked for something to read. What it
   * has still to answer is read before: nobody else shall get it.
   */
  async #pauseReading(): Promise<void> {
    this.#paused = true;
    if (this.#waitsForKeys) this.#confirmations.ask();
    await this.#confirmations.arrived();
    if (this.#reading !== undefined && !this.#confirmations.pending) {
      await within(this.#reading, ANSWER_MS);
    }
    this.#confirmations.forget();
  }

  async #writeOut(): Promise<void> {
    try {
      while (this.#waiting !== "" && !this.#gone) {
        let rest = encoder.encode(this.#waiting);
        this.#waiting = "";
        while (rest.length > 0 && !this.#gone) {
          rest = rest.subarray(await Deno.stdout.write(rest.subarray(0, 65_536)));
        }
      }
    } catch {
      this.#gone = true;
    } finally {
      this.#writing = undefined;
    }
  }
}

/** Whether the terminal is in the mode that we have set; no shell leaves it so. */
function isRaw(): boolean {
  try {
    const { success, stdout } = new Deno.Command("stty", {
      args: ["-a"],
      stdin: "inherit",
      stderr: "null",
    }).outputSync();
    return success && /\s-isig\b/.test(new TextDecoder().decode(stdout));
  } catch {
    return false;
  }
}

function writeAllSync(text: string): void {
  let rest = encoder.encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
