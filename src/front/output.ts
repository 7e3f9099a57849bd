/**
 * Writing to stdout and stderr: in order, complete, and without a word when nobody reads any more.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import { outputFailure } from "../base/output_failure.ts";
import { fstatSync } from "node:fs";

/** Where bytes go; `Deno.stdout` is one. */
export interface ByteSink {
  /** Takes at least one byte and says how many it took. */
  write(bytes: Uint8Array): Promise<number>;
}

/** Pause before a full non-blocking pipe is tried again, in milliseconds. */
const RETRY_MS = 5;

/** Characters that are handed over at once, about. */
const PIECE = 64 * 1024;

const encoder = new TextEncoder();

/**
 * Text for a stream. Writing never waits and never throws: what the stream does not take yet is kept
 * and goes out in larger pieces. The two halves of a character may come in two writes.
 */
export class Output {
  readonly isTerminal: boolean;
  /** Settles when nothing can be written any more, with why. */
  readonly closed: Promise<MmError>;
  #waiting: string[] = [];
  #flushing = false;
  #failure: MmError | undefined;
  #pumping: Promise<void> | undefined;
  readonly #sink: ByteSink;
  readonly #close: (failure: MmError) => void;

  constructor(sink: ByteSink, isTerminal: boolean) {
    const { promise, resolve } = Promise.withResolvers<MmError>();
    this.#sink = sink;
    this.isTerminal = isTerminal;
    this.closed = promise;
    this.#close = resolve;
  }

  /** Why nothing can be written any more: `output_closed` or `output_failed`. */
  get failure(): MmError | undefined {
    return this.#failure;
  }

  /** Puts text at the end of what is to be written. */
  write(text: string): void {
    if (this.#failure !== undefined || text === "") return;
    this.#waiting.push(text);
    this.#pumping ??= this.#pump();
  }

  /** Waits until everything so far is handed over, or nothing can be. Never rejects. */
  async flush(): Promise<void> {
    this.#flushing = true;
    while (this.#waiting.length > 0) {
      this.#pumping ??= this.#pump();
      await this.#pumping;
    }
    await this.#pumping;
    this.#flushing = false;
  }

  async #pump(): Promise<void> {
    // What is written in one go goes out in one piece.
    await null;
    try {
      for (let text = this.#take(); text !== ""; text = this.#take()) {
        await this.#hand(encoder.encode(text));
      }
    } catch (error) {
      this.#failure = outputFailure(error);
      this.#waiting = [];
      this.#close(this.#failure);
    } finally {
      this.#pumping = undefined;
    }
  }

  /** The next piece; half a character waits for its other half. */
  #take(): string {
    let length = 0;
    let count = 0;
    while (count < this.#waiting.length && length < PIECE) {
      length += this.#waiting[count++]?.length ?? 0;
    }
    const text = this.#waiting.splice(0, count).join("");
    const half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    if (half === "" || (this.#flushing && this.#waiting.length === 0)) return text;
    this.#waiting.unshift(half);
    return text.slice(0, -1);
  }

  async #hand(bytes: Uint8Array): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      try {
        rest = rest.subarray(await this.#sink.write(rest));
      } catch (error) {
        if (!(error instanceof Deno.errors.WouldBlock)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}

/** Says why an output takes nothing more, unless its reader has gone away, and so knows. */
export function sayOutputFailed(stderr: Output, { code, message }: MmError): void {
  if (code === "output_failed") stderr.write(`Error: ${message}\n`);
}

/** The program's stdout. */
export function openStdout(): Output {
  return new Output(Deno.stdout, Deno.stdout.isTerminal());
}

/** The program's stderr. */
export function openStderr(): Output {
  return new Output(Deno.stderr, Deno.stderr.isTerminal());
}

/** Where to write: the same twice where both lead to one place. */
export interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

/**
 * Both; one and the same where they lead to one terminal, file or pipe (`2>&1`), so that what is
 * written first comes first there.
 */
export function openBoth(): Outputs {
  const stdout = openStdout();
  return { stdout, stderr: areSame() ? stdout : openStderr() };
}

function areSame(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)];
    return out.dev === err.dev && out.ino === err.ino;
  } catch {
    return false;
  }
}
