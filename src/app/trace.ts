/**
 * The trace of the running program: the last frames, and a file while one is written.
 *
 * @module
 */

import type { TraceFile } from "../transport/trace_file.ts";
import { TraceRing } from "../transport/trace_ring.ts";
import type { TraceTap, WireMessage } from "../transport/transport.ts";

/** Sees every frame of every connection of the program. */
export class Trace implements TraceTap {
  readonly ring = new TraceRing();
  /** What was asked for on the command line. */
  readonly #given: TraceTap | undefined;
  #file: { readonly path: string; readonly trace: TraceFile } | undefined;

  constructor(given?: TraceTap) {
    this.#given = given;
  }

  /** The file that is written since it was asked for here. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /**
   * Writes everything from now on to a file, in place of the one before.
   *
   * @throws {MmError} `usage` when it cannot be written.
   */
  async start(path: string): Promise<void> {
    const { openTraceFile } = await import("../transport/trace_file.ts");
    const trace = openTraceFile(path);
    this.stop();
    this.#file = { path, trace };
  }

  /** Ends the file; false when there is none. */
  stop(): boolean {
    const file = this.#file;
    this.#file = undefined;
    file?.trace.close();
    return file !== undefined;
  }

  frame(direction: "in" | "out", message: WireMessage): void {
    this.ring.frame(direction, message);
    this.#given?.frame(direction, message);
    this.#file?.trace.frame(direction, message);
  }

  note(text: string): void {
    this.ring.note(text);
    this.#given?.note(text);
    this.#file?.trace.note(text);
  }
}
