/**
 * One command that runs for the agent.
 *
 * @module
 */

import { systemClock, within } from "../base/clock.ts";
import { startProcess, type SupervisedProcess } from "../process/supervised.ts";
import { type CommandRequest, resolveCommand } from "./command_request.ts";
import { OutputTail } from "./output_tail.ts";

/** How a command ended: a status, or the signal that ended it. */
export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The kept output of a command. */
export interface TerminalOutput {
  readonly output: string;
  readonly truncated: boolean;
}

/** Who is told what a command does. */
export interface TerminalListener {
  /** The newest part of the output, at most {@link SHOWN_BYTES}; at most about 20 times a second. */
  onOutput(output: TerminalOutput): void;
  /** Called once, after the last `onOutput` of the command itself. */
  onExit(exit: TerminalExit): void;
}

/** Most bytes of output that a listener is told. */
const SHOWN_BYTES = 64 * 1024;

const SHOW_EVERY_MS = 50;
/** How long output is waited for after the end of the command; a background child may hold it open. */
const DRAIN_MS = 100;
const KILL_GRACE_MS = 500;

/** Statuses with which shells and programs report that a signal ended them. */
const TOLD_SIGNALS: Readonly<Record<number, string>> = { 137: "SIGKILL", 143: "SIGTERM" };

/** A running or ended command. */
export class Terminal {
  /** Settles when the command itself has ended, background children or not; never rejects. */
  readonly exited: Promise<TerminalExit>;
  readonly #process: SupervisedProcess;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #tail: OutputTail;
  readonly #listener: TerminalListener;
  #exit: TerminalExit | undefined;
  #killed = false;
  #cancelShow: (() => void) | undefined;

  private constructor(process: SupervisedProcess, limit: number, listener: TerminalListener) {
    this.#process = process;
    this.#reader = process.stdout.getReader();
    this.#tail = new OutputTail(limit);
    this.#listener = listener;
    this.exited = this.#finish(this.#pump());
  }

  /**
   * Starts a command without input and with stdout and stderr as one stream, in the order in which
   * they were written. Throws an `RpcError` when the command does not exist.
   */
  static async open(
    request: CommandRequest,
    limit: number,
    listener: TerminalListener,
  ): Promise<Terminal> {
    const words = await resolveCommand(request);
    const process = await startProcess({
      command: "sh",
      args: ["-c", 'exec "$0" "$@" 2>&1', ...words],
      cwd: request.cwd,
      env: request.env,
      stdin: "null",
    });
    return new Terminal(process, limit, listener);
  }

  /** How it ended; `undefined` while it runs. */
  get exit(): TerminalExit | undefined {
    return this.#exit;
  }

  /** The output so far, within the limit. */
  output(): TerminalOutput {
    return { output: this.#tail.text(), truncated: this.#tail.truncated };
  }

  /** Ends the command and everything that it started: SIGTERM, then SIGKILL. Idempotent. */
  async kill(): Promise<void> {
    this.#killed ||= this.#exit === undefined;
    await this.#process.stop({ graceMs: KILL_GRACE_MS, atOnce: true });
    await this.exited;
  }

  /** Ends it and stops listening to it. Idempotent. */
  async release(): Promise<void> {
    await this.kill();
    this.#cancelShow?.();
    this.#cancelShow = undefined;
    await this.#reader.cancel().catch(() => {});
  }

  async #pump(): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await this.#reader.read();
        if (done) break;
        this.#tail.push(value);
        this.#cancelShow ??= systemClock.after(SHOW_EVERY_MS, () => this.#show());
      }
    } catch {
      // A pipe that breaks ends the output like one that is closed.
    }
    this.#tail.end();
  }

  async #finish(drained: Promise<void>): Promise<TerminalExit> {
    const { code, signal } = await this.#process.exited;
    await within(drained, DRAIN_MS);
    const told = this.#killed && code !== null ? TOLD_SIGNALS[code] : undefined;
    const exit = told === undefined ? { exitCode: code, signal } : { exitCode: null, signal: told };
    this.#exit = exit;
    this.#show();
    this.#listener.onExit(exit);
    return exit;
  }

  #show(): void {
    this.#cancelShow?.();
    this.#cancelShow = undefined;
    const output = this.#tail.text(SHOWN_BYTES);
    this.#listener.onOutput({ output, truncated: this.#tail.truncated });
  }
}
