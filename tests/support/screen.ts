/**
 * A terminal emulator that reads what a program in a pseudo-terminal writes, so that a test can
 * assert what a person would see.
 *
 * @module
 */

import xterm from "@xterm/headless";
import type { Pty } from "./pty.ts";

/** What a test waits for: text on the screen, or anything about it. */
export type Expectation = string | RegExp | ((screen: Screen) => boolean);

/** The screen of a terminal, with its scrollback. */
export class Screen {
  readonly #terminal: xterm.Terminal;
  readonly #checks = new Set<() => void>();

  /** `reply` gets what the terminal answers to queries. */
  constructor(columns: number, rows: number, reply: (data: string) => void = () => {}) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 1_000_000,
      allowProposedApi: true,
    });
    this.#terminal.onData(reply);
  }

  /** Reads output of the program. Settles when it is on the screen. */
  feed(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) =>
      this.#terminal.write(data, () => {
        for (const check of [...this.#checks]) check();
        resolve();
      })
    );
  }

  /** Changes the size, reflowing as terminals do. */
  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The visible rows, without trailing blanks, joined by newlines. */
  text(): string {
    const buffer = this.#terminal.buffer.active;
    return this.#rows(buffer.baseY, buffer.baseY + this.#terminal.rows).join("\n");
  }

  /** Every row from the start of the scrollback to the bottom of the screen. */
  all(): string {
    return this.#rows(0, this.#terminal.buffer.active.length).join("\n");
  }

  /** Like {@link Screen.all}, with the rows that the terminal itself wrapped joined again. */
  unwrapped(): string {
    const buffer = this.#terminal.buffer.active;
    const lines: string[] = [];
    for (let y = 0; y < buffer.length; y++) {
      const line = buffer.getLine(y);
      const next = buffer.getLine(y + 1);
      const text = line?.translateToString(next?.isWrapped !== true) ?? "";
      if (line?.isWrapped === true) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return lines.join("\n").trimEnd();
  }

  /** Only the rows above the visible ones. */
  scrollback(): string {
    return this.#rows(0, this.#terminal.buffer.active.baseY).join("\n");
  }

  /** Position of the cursor on the visible screen, counted from 0. */
  get cursor(): { readonly column: number; readonly row: number } {
    const buffer = this.#terminal.buffer.active;
    return { column: buffer.cursorX, row: buffer.cursorY };
  }

  /** True while bracketed paste is on. */
  get bracketedPaste(): boolean {
    return this.#terminal.modes.bracketedPasteMode;
  }

  /** True while the alternate screen is shown. */
  get alternate(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  /**
   * Waits until the expectation holds; it is looked at after every chunk of output. Text and
   * expressions are looked for in the visible screen. Rejects with the screen after `ms` (10 s).
   */
  waitFor(expected: Expectation, ms = 10_000): Promise<void> {
    const holds = typeof expected === "function"
      ? () => expected(this)
      : typeof expected === "string"
      ? () => this.text().includes(expected)
      : () => expected.test(this.text());
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#checks.delete(check);
        settle();
      };
      const check = () => {
        if (holds()) finish(resolve);
      };
      const timer = setTimeout(
        () => finish(() => reject(new Error(`not seen: ${expected}\n--- screen\n${this.text()}`))),
        ms,
      );
      this.#checks.add(check);
      check();
    });
  }

  #rows(start: number, end: number): string[] {
    const buffer = this.#terminal.buffer.active;
    const rows: string[] = [];
    for (let y = start; y < end; y++) rows.push(buffer.getLine(y)?.translateToString(true) ?? "");
    return rows;
  }
}

/** A screen that shows a pseudo-terminal and answers its queries. */
export function openScreen(pty: Pty): Screen {
  const screen = new Screen(pty.columns, pty.rows, (data) => void pty.write(data).catch(() => {}));
  pty.onOutput((chunk) => void screen.feed(chunk));
  return screen;
}
