/**
 * Traces of a connection: every frame as one line of JSON.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { redact, redactText } from "./redact.ts";
import type { TraceTap, WireMessage } from "./transport.ts";

/** A trace that is written to a file. */
export interface TraceFile extends TraceTap {
  /** Ends the trace. Idempotent; what comes later is dropped. */
  close(): void;
}

/** How a trace file is written. */
export interface TraceFileOptions {
  /** Bytes after which it starts over. Default 32 MiB. */
  readonly maxBytes?: number;
  /** Told once, in words, when the trace has ended because it could not be written. */
  readonly onFailure?: (message: string) => void;
}

/** Bytes after which a trace starts over, keeping what was written before in `<path>.1`. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Opens a trace file, readable only by its owner; one that is there is replaced.
 *
 * Lines are `{"ms", "direction": "in" | "out", "message"}` or `{"ms", "note"}`, with `ms` counted
 * from the first line, which says when that was. Values of secrets are replaced by `***`.
 *
 * @throws {MmError} `usage` when the file cannot be written.
 */
export function openTraceFile(
  path: string,
  options: TraceFileOptions = {},
): TraceFile {
  return new NdjsonTrace(path, options);
}

class NdjsonTrace implements TraceFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #onFailure: (message: string) => void;
  readonly #encoder = new TextEncoder();
  readonly #start = performance.now();
  #file: Deno.FsFile | undefined;
  #written = 0;

  constructor(path: string, { maxBytes = MAX_BYTES, onFailure = () => {} }: TraceFileOptions) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#onFailure = onFailure;
    try {
      this.#file = openPrivate(path);
    } catch (error) {
      throw new MmError("usage", `Cannot write the trace file ${path}: ${messageOf(error)}`, {
        hint: "Name a file in a directory that exists and can be written.",
        cause: error,
      });
    }
    this.#write({ started: new Date().toISOString() });
  }

  frame(direction: "in" | "out", message: WireMessage): void {
    this.#write({ direction, message: redact(message) });
  }

  note(text: string): void {
    this.#write({ note: redactText(text) });
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #write(line: Record<string, unknown>): void {
    if (this.#file === undefined) return;
    const ms = Math.round((performance.now() - this.#start) * 10) / 10;
    const bytes = this.#encoder.encode(`${JSON.stringify({ ms, ...line })}\n`);
    try {
      if (this.#written > 0 && this.#written + bytes.length > this.#maxBytes) this.#startOver();
      for (let at = 0; at < bytes.length;) at += this.#file.writeSync(bytes.subarray(at));
      this.#written += bytes.length;
    } catch (error) {
      this.close(); // a full disk ends the trace, not the session
      this.#onFailure(`The trace ends here: cannot write ${this.#path}: ${messageOf(error)}`);
    }
  }

  #startOver(): void {
    this.#file?.close();
    this.#file = undefined;
    Deno.renameSync(this.#path, `${this.#path}.1`);
    this.#file = openPrivate(this.#path);
    this.#written = 0;
  }
}

function openPrivate(path: string): Deno.FsFile {
  const file = Deno.openSync(path, { write: true, create: true, mode: 0o600 });
  try {
    if (file.statSync().isFile) {
      // Before anything is written: the file may have been there with a wider mode.
      if (Deno.build.os !== "windows") Deno.chmodSync(path, 0o600);
      file.truncateSync(0);
    }
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
