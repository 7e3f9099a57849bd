/**
 * This program in a real pseudo-terminal, driven by what it writes.
 *
 * @module
 */

import { openPty, type Pty } from "../tests/support/pty.ts";
import { openSandbox, until } from "../tests/support/run_main.ts";
import { Screen } from "../tests/support/screen.ts";
import { processorMs, residentBytes } from "./processes.ts";
import { repl } from "./programs.ts";

/** What a turn cost. */
export interface TurnCost {
  /** Bytes written to the terminal. */
  readonly bytes: number;
  readonly cpuMs: number;
}

/** Bound of one wait, in milliseconds. */
const WAIT_MS = 120_000;

/** The program asks the terminal for a sign of life, and what that is. */
const CONFIRM = "\x1b[5n";
const CONFIRMED = "\x1b[0n";

/** The state that ends the wait for a turn, as the status line names it. */
const IDLE = "idle";

/** The program with an open session. Close it with `await using`. */
export class TerminalSession implements AsyncDisposable {
  readonly #pty: Pty;
  readonly #sandbox: AsyncDisposable;
  readonly #decoder = new TextDecoder();
  #bytes = 0;
  /** What came since the last look, without what has been looked through. */
  #text = "";

  private constructor(pty: Pty, sandbox: AsyncDisposable) {
    this.#pty = pty;
    this.#sandbox = sandbox;
    pty.onOutput((chunk) => {
      this.#bytes += chunk.length;
      const text = this.#decoder.decode(chunk, { stream: true });
      this.#text += text;
      // A terminal confirms what it has drawn.
      const confirmed = text.split(CONFIRM).length - 1;
      if (confirmed > 0) void pty.write(CONFIRMED.repeat(confirmed)).catch(() => {});
    });
  }

  /** Starts it in a directory of its own that holds `files`, and waits until it is idle. */
  static async open(
    agent: readonly string[],
    files: Readonly<Record<string, string>> = {},
  ): Promise<TerminalSession> {
    const sandbox = await openSandbox(files);
    const [command = "", ...args] = repl(agent);
    const pty = await openPty({ command, args, cwd: sandbox.project, env: { ...sandbox.env } });
    // It asks the terminal what it can do; a terminal answers.
    const screen = new Screen(pty.columns, pty.rows, (data) => void pty.write(data));
    const stop = pty.onOutput((chunk) => void screen.feed(chunk));
    await screen.waitFor(IDLE, WAIT_MS);
    stop();
    return new TerminalSession(pty, sandbox);
  }

  /** Sends a prompt and waits until `end`, which must not be in it, was written and all is idle. */
  async turn(prompt: string, end: string): Promise<TurnCost> {
    const before = this.usage();
    this.#text = "";
    await this.type(`${prompt}\r`);
    await this.#seen(end);
    await this.#seen(IDLE);
    const after = this.usage();
    return {
      bytes: after.bytes - before.bytes,
      cpuMs: after.cpuMs - before.cpuMs,
    };
  }

  /** Types, or pastes. */
  async type(text: string): Promise<void> {
    await this.#pty.write(text);
  }

  /** Waits until a text is written. */
  async waitFor(text: string): Promise<void> {
    await this.#seen(text);
  }

  /** Told of everything that is written from now on. */
  onOutput(listener: (chunk: Uint8Array) => void): void {
    let before = true;
    this.#pty.onOutput((chunk) => {
      if (!before) listener(chunk);
    });
    before = false;
  }

  /** What it has written and used so far; the memory is that of now. */
  usage(): { readonly bytes: number; readonly cpuMs: number; readonly memoryBytes: number } {
    const { pid } = this.#pty;
    return {
      bytes: this.#bytes,
      cpuMs: processorMs(pid),
      memoryBytes: residentBytes(pid, "VmRSS"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pty.kill();
    await this.#sandbox[Symbol.asyncDispose]();
  }

  /** Waits until the text was written, and forgets everything up to it. */
  async #seen(text: string): Promise<void> {
    const look = () => {
      const at = this.#text.indexOf(text);
      this.#text = this.#text.slice(at < 0 ? -text.length : at + text.length);
      return at >= 0;
    };
    await until(look, `written: ${text}`, WAIT_MS);
  }
}
