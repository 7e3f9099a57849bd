/**
 * Child processes that never outlive us: bounded stderr, and an end for the whole tree.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import { type ChildStdin, openChildStdin } from "./child_stdin.ts";
import { type Family, LoneProcess } from "./lone_process.ts";
import { ProcessMark } from "./process_mark.ts";
import { ProcessTree } from "./process_tree.ts";
import { type ProcessSpec, spawn } from "./spawn.ts";
import { TailBuffer } from "./tail_buffer.ts";

export type { ProcessSpec } from "./spawn.ts";

/** How a process ended. */
export interface ProcessExit {
  /** Exit status, or `null` when a signal ended it. */
  readonly code: number | null;
  /** For example `SIGKILL`, or `null`. */
  readonly signal: string | null;
}

/** How a process is ended. */
export interface StopOptions {
  /** How long each wait lasts, in milliseconds. Default 500. */
  readonly graceMs?: number;
  /** Sends SIGTERM without waiting for it to end by itself. Default false. */
  readonly atOnce?: boolean;
}

/** A running child and its whole process tree. */
export interface SupervisedProcess {
  readonly pid: number;
  /** Never errors: what is written to a child that takes no more input is dropped. */
  readonly stdin: WritableStream<Uint8Array>;
  /** Settles when the child takes no more input (closed by either side, or ended); never rejects. */
  readonly stdinEnded: Promise<void>;
  /** Must be read to its end or cancelled by whoever started the process. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** The last lines of stderr so far, decoded; at most `stderrLimit` bytes. */
  stderr(): string;
  /** Starts to watch stderr: the function gives what came since then, within the same bound. */
  watchStderr(): () => string;
  /** Calls `listener`, which must not throw, with each further complete line of stderr. */
  onStderrLine(listener: (line: string) => void): Unsubscribe;
  /** Settles when the process itself has ended; never rejects. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Ends the whole tree: closes stdin, waits for it to end by itself, then SIGTERM, another wait, then
   * SIGKILL to the group and every known descendant. Idempotent. After the process has ended by itself
   * it ends what that left behind.
   */
  stop(options?: StopOptions): Promise<void>;
  /** SIGKILL to the whole tree, now, synchronously. */
  kill(): void;
}

const STDERR_LIMIT = 64 * 1024;
const GRACE_MS = 500;
/** How long the end of stderr is waited for after the process; a descendant may hold it open. */
const DRAIN_MS = 200;
const POLL_MS = 25;
/** Rounds of SIGKILL, {@link KILL_ROUND_MS} apart, against trees that grow while they are killed. */
const KILL_ROUNDS = 10;
const KILL_ROUND_MS = 200;

/** Takes what happens to process groups: one has begun, or nothing of it is left. */
type GroupListener = (event: "begun" | "ended", group: number) => void;

let groupListener: GroupListener | undefined;

/** Tells `listener` of every process group from now on, until the returned function is called. */
export function watchGroups(listener: GroupListener): Unsubscribe {
  groupListener = listener;
  return () => {
    if (groupListener === listener) groupListener = undefined;
  };
}

const live = new Set<Supervised>();
const guests = new Set<ProcessTree>();

/**
 * Starts a program. Rejects with `agent_directory` when the directory is missing, `agent_not_found`
 * when the program is missing or cannot be executed.
 */
export async function startProcess(spec: ProcessSpec): Promise<SupervisedProcess> {
  const mark = new ProcessMark();
  return new Supervised(await spawn(spec, mark), spec, mark);
}

/** SIGKILL to every tree, synchronously: for the last way out, where nothing can be awaited. */
export function killAllProcesses(): void {
  for (const process of live) process.kill();
  for (const tree of guests) tree.signal("SIGKILL");
}

/** Lets a tree that has streams of its own not outlive us either, until that is disposed of. */
export function superviseTree(tree: ProcessTree): Disposable {
  guests.add(tree);
  return { [Symbol.dispose]: () => void guests.delete(tree) };
}

class Supervised implements SupervisedProcess {
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly exited: Promise<ProcessExit>;
  readonly #tree: Family;
  readonly #stdin: ChildStdin;
  readonly #stderr: TailBuffer;
  readonly #stderrReader: ReadableStreamDefaultReader<Uint8Array>;
  #stopping: Promise<void> | undefined;

  constructor(child: Deno.ChildProcess, spec: ProcessSpec, mark: ProcessMark) {
    this.pid = child.pid;
    this.stdout = child.stdout;
    this.#tree = spec.isAlone === true ? new LoneProcess(child) : new ProcessTree(child.pid, mark);
    this.#stdin = openChildStdin(spec.stdin === "null" ? undefined : child.stdin);
    this.#stderr = new TailBuffer(spec.stderrLimit ?? STDERR_LIMIT);
    this.#stderrReader = child.stderr.getReader();
    live.add(this);
    groupListener?.("begun", this.pid);
    this.exited = this.#wait(child, this.#drain(spec.onStderr));
  }

  get stdin(): WritableStream<Uint8Array> {
    return this.#stdin.stream;
  }

  get stdinEnded(): Promise<void> {
    return this.#stdin.ended;
  }

  stderr(): string {
    return this.#stderr.text();
  }

  watchStderr(): () => string {
    return this.#stderr.watch();
  }

  onStderrLine(listener: (line: string) => void): Unsubscribe {
    return this.#stderr.onLine(listener);
  }

  stop({ graceMs = GRACE_MS, atOnce = false }: StopOptions = {}): Promise<void> {
    this.#stopping ??= this.#stop(graceMs, atOnce);
    return this.#stopping;
  }

  kill(): void {
    this.#tree.signal("SIGKILL");
    this.#tree.signal("SIGKILL"); // what was started between looking and killing
  }

  async #drain(onStderr: ProcessSpec["onStderr"]): Promise<void> {
    for (;;) {
      // A pipe that breaks ends the text like one that is closed.
      const next = await this.#stderrReader.read().catch(() => undefined);
      if (next === undefined || next.done) break;
      const text = this.#stderr.push(next.value);
      if (text !== "") onStderr?.(text);
    }
    this.#stderr.end();
  }

  async #wait(child: Deno.ChildProcess, drained: Promise<void>): Promise<ProcessExit> {
    const { code, signal } = await child.status;
    this.#tree.rootEnded();
    this.#stdin.abort();
    await within(drained, DRAIN_MS);
    if (this.#tree.members().length === 0) this.#forget();
    return { code: signal === null ? code : null, signal };
  }

  async #stop(graceMs: number, atOnce: boolean): Promise<void> {
    this.#tree.members(); // remembers children that the end of their parent would hide
    this.#stdin.close();
    if (!atOnce) await within(this.exited, graceMs);
    // Every look reads the whole process table: none is taken where the last one found nothing.
    if (!live.has(this)) return await this.#stderrReader.cancel();
    if (this.#tree.signal("SIGTERM")) await this.#gone(graceMs);
    for (let round = 0; round < KILL_ROUNDS && this.#tree.signal("SIGKILL"); round++) {
      await this.#gone(KILL_ROUND_MS);
    }
    await within(this.exited, KILL_ROUND_MS);
    await this.#stderrReader.cancel();
    this.#forget();
  }

  #forget(): void {
    if (live.delete(this)) groupListener?.("ended", this.pid);
  }

  /** Waits until nothing of the tree lives, at most `ms` milliseconds. */
  async #gone(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    while (this.#tree.members().length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
