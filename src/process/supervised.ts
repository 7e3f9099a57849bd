/** @module */

/** What to start. */
export interface ProcessSpec {
  /** Program; found on the PATH when it has no slash. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment when `clearEnv`, else added to the inherited one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clearEnv?: boolean;
  /** Bytes of stderr that are kept. Default 64 KiB. */
  readonly stderrLimit?: number;
  /** `null` closes stdin at once. Default `piped`. */
  readonly stdin?: "piped" | "null";
  /** Called with each piece of stderr as it comes (decoded, unsanitised). */
  readonly onStderr?: (text: string) => void;
}

/** How a process ended. */
export interface ProcessExit {
  /** Exit status, or `null` when a signal ended it. */
  readonly code: number | null;
  /** For example `SIGKILL`, or `null`. */
  readonly signal: string | null;
}

/** A running child and its whole process tree. */
export interface SupervisedProcess {
  readonly pid: number;
  readonly stdin: WritableStream<Uint8Array>;
  readonly stdout: ReadableStream<Uint8Array>;
  /** The last lines of stderr so far, decoded; at most `stderrLimit` bytes. */
  stderr(): string;
  /** Settles when the process itself has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Ends the whole tree: closes stdin, waits `graceMs` (default 500) for it to end by itself, then
   * SIGTERM, another grace, then SIGKILL to the group and every known descendant. Idempotent.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** SIGKILL to the whole tree, now, synchronously. */
  kill(): void;
}
