/**
 * Our end of the host process of one tool file.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { messageOf } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { ToolResult } from "../model/tool_manifest.ts";
import { type ProcessSpec, startProcess, type SupervisedProcess } from "../process/supervised.ts";
import { FrameReader } from "./frames.ts";
import { ANSWER_LIMIT, failure } from "./host/answers.ts";
import { NoteGate } from "./host/note_gate.ts";
import type { FromHost, HostStart, Place, RawTool, ToHost } from "./host/protocol.ts";
import { parseFromHost } from "./host_messages.ts";
import { watchMemory } from "./memory.ts";
import type { ToolCallRequest, ToolLimits } from "./toolbox.ts";

/** A message may be an answer and a little more. */
const MESSAGE_LIMIT = ANSWER_LIMIT + 64 * 1024;

/** How often the memory is looked at, in milliseconds. */
const MEMORY_MS = 100;

/** How long the output of an ended process is still read: what it started may hold it open. */
const DRAIN_MS = 200;

/** What the file of a process turned out to be. */
export type Opening =
  | { readonly kind: "ready" }
  | { readonly kind: "described"; readonly tools: readonly RawTool[] }
  | { readonly kind: "checked"; readonly problems: { readonly [key: string]: readonly string[] } }
  | { readonly kind: "broken"; readonly reason: string; readonly place: Place };

/** One call for a process. */
export interface ProcessCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly sessionId: string;
  /** The limit that the tool has, for the text of the answer. */
  readonly timeoutMs: number;
  /** When that limit is reached, in milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onLog?: ToolCallRequest["onLog"];
}

interface OpenCall {
  readonly tool: string;
  /** Runs from the abort of the call to the end of the process. */
  grace?: ReturnType<typeof setTimeout>;
  readonly notes: NoteGate;
  settle(result: ToolResult): void;
}

/** A host process, from its start to its end. */
export class ToolProcess {
  /** Settles when the file is loaded, or cannot be; never rejects. */
  readonly opening: Promise<Opening>;
  readonly #limits: ToolLimits;
  readonly #calls = new Map<number, OpenCall>();
  readonly #settleOpening: (opening: Opening) => void;
  readonly #starting: Promise<SupervisedProcess | undefined>;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #process: SupervisedProcess | undefined;
  #stopWatch = () => {};
  #lost: string | undefined;
  #retired: string | undefined;
  #lastId = 0;

  constructor(spec: ProcessSpec, start: Omit<HostStart, "secret">, limits: ToolLimits) {
    const { promise, resolve } = Promise.withResolvers<Opening>();
    this.opening = promise;
    this.#settleOpening = resolve;
    this.#limits = limits;
    this.#starting = this.#start(spec, start);
  }

  /** Why no call can be made any more; `undefined` while they can. */
  get lost(): string | undefined {
    return this.#lost;
  }

  /**
   * Runs one call. Rejects with -32800 when `signal` aborts; whatever else happens is a result.
   */
  async call(call: ProcessCall): Promise<ToolResult> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
    const notes = new NoteGate((note) => call.onLog?.(note));
    this.#calls.set(id, { tool: call.tool, settle: resolve, notes });
    const timer = setTimeout(() => {
      const seconds = call.timeoutMs / 1000;
      resolve(failure(`${call.tool} failed: it took longer than its limit of ${seconds} s`));
      this.#abandon(id, "did not stop at its time limit");
    }, Math.max(0, call.deadline - performance.now()));
    const cancel = () => {
      reject(new RpcError(RPC.requestCancelled, "Request cancelled"));
      this.#abandon(id, "did not stop when it was cancelled");
    };
    call.signal.addEventListener("abort", cancel, { once: true });
    try {
      if (call.signal.aborted) cancel();
      else if (this.#lost !== undefined) this.#fail(id, this.#lost);
      else void this.#begin(id, call);
      return await promise;
    } finally {
      clearTimeout(timer);
      call.signal.removeEventListener("abort", cancel);
      notes.end();
    }
  }

  /** Settles when the process has ended; never rejects. */
  get ended(): Promise<void> {
    return this.#starting.then(async (process) => {
      await process?.exited;
    });
  }

  /** Ends the process as soon as no call is open; its limit ends a call in any case. */
  retire(reason: string): void {
    this.#retired = reason;
    if (this.#calls.size === 0) this.#lose(reason);
  }

  /** Ends the process; open calls fail with the reason. Idempotent. */
  async stop(reason: string): Promise<void> {
    this.#lose(reason);
    await this.ended;
  }

  async #start(spec: ProcessSpec, start: Omit<HostStart, "secret">) {
    const secret = crypto.randomUUID();
    let process: SupervisedProcess;
    try {
      process = await startProcess({
        ...spec,
        stderrLimit: 16 * 1024,
        onStderr: (text) => this.#print(text),
      });
    } catch (error) {
      this.#lose(messageOf(error));
      return undefined;
    }
    this.#process = process;
    if (this.#lost !== undefined) {
      process.kill();
      return process;
    }
    this.#writer = process.stdin.getWriter();
    this.#stopWatch = watchMemory(process.pid, this.#limits.memoryBytes, MEMORY_MS, () => {
      const mebibytes = Math.round(this.#limits.memoryBytes / 1024 / 1024);
      this.#lose(`it used more than ${mebibytes} MiB of memory`);
    });
    void this.#listen(process, secret);
    await this.#write({ ...start, secret });
    return process;
  }

  async #listen(process: SupervisedProcess, secret: string): Promise<void> {
    const reading = this.#read(process, secret);
    const { code, signal } = await process.exited;
    await within(reading, DRAIN_MS);
    this.#lose(`its process ended (${explainExit(code, signal, process.stderr())})`);
  }

  async #read(process: SupervisedProcess, secret: string): Promise<void> {
    const reader = new FrameReader(secret, MESSAGE_LIMIT, {
      onMessage: (value) => {
        const message = parseFromHost(value);
        if (message === undefined) this.#lose("it says what cannot be understood");
        else this.#take(message);
      },
      onPrint: (text) => this.#print(text),
      onOverflow: () => this.#lose("it sent more than can be taken"),
    });
    try {
      for await (const chunk of process.stdout) reader.push(chunk);
    } catch {
      // The end of the process says it.
    }
  }

  #take(message: FromHost): void {
    switch (message.type) {
      case "ready":
        return this.#settleOpening({ kind: "ready" });
      case "described":
        return this.#settleOpening({ kind: "described", tools: message.tools });
      case "checked":
        return this.#settleOpening({ kind: "checked", problems: message.problems });
      case "broken":
        this.#settleOpening({ kind: "broken", reason: message.reason, place: message.place });
        return this.#lose(`its file could not be loaded: ${message.reason}`);
      case "note":
        return this.#calls.get(message.id)?.notes.say({ kind: message.kind, text: message.text });
      case "result":
        this.#calls.get(message.id)?.settle(message.result);
        this.#forget(message.id);
        return;
      case "lost":
        return this.#lose(message.reason);
    }
  }

  async #begin(id: number, { tool, args, sessionId }: ProcessCall): Promise<void> {
    await this.opening;
    if (this.#calls.has(id)) await this.#write({ type: "call", id, tool, args, sessionId });
  }

  /** Tells the handler to stop; ends the process when it does not. */
  #abandon(id: number, reason: string): void {
    const call = this.#calls.get(id);
    if (call === undefined || call.grace !== undefined) return;
    void this.#write({ type: "abort", id, reason: "the call was cancelled or its time is over" });
    call.grace = setTimeout(() => {
      this.#forget(id);
      this.#lose(`the process of its file was ended because a call of ${call.tool} ${reason}`);
    }, this.#limits.graceMs);
  }

  #fail(id: number, reason: string): void {
    const call = this.#calls.get(id);
    call?.settle(failure(`${call.tool} failed: ${reason}`));
    this.#forget(id);
  }

  #forget(id: number): void {
    clearTimeout(this.#calls.get(id)?.grace);
    this.#calls.delete(id);
    if (this.#retired !== undefined) this.retire(this.#retired);
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#stopWatch();
    this.#settleOpening({ kind: "broken", reason, place: {} });
    for (const id of [...this.#calls.keys()]) this.#fail(id, reason);
    this.#process?.kill();
  }

  /** What the tool prints is shown with the calls that are running: it does not say which is its. */
  #print(text: string): void {
    for (const call of this.#calls.values()) {
      for (const line of text.split("\n")) {
        if (line !== "") call.notes.say({ kind: "log", text: line });
      }
    }
  }

  async #write(message: ToHost | HostStart): Promise<void> {
    try {
      const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
      await this.#writer?.write(line);
    } catch {
      // The process ended; its exit fails the calls.
    }
  }
}

function explainExit(code: number | null, signal: string | null, stderr: string): string {
  const how = signal === null ? `exit status ${code}` : signal;
  if (/out of memory|Cannot enlarge memory/i.test(stderr)) return `${how}: out of memory`;
  const line = stderr.split("\n").find((text) => /error/i.test(text));
  return line === undefined ? how : `${how}: ${line.trim()}`;
}
