/**
 * JSON-RPC over the stdin and stdout of a child process, one message a line.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import type { Unsubscribe } from "../base/listeners.ts";
import type { ProcessExit, SupervisedProcess } from "../process/supervised.ts";
import { LineBuffer } from "./line_buffer.ts";
import { MessageGate } from "./message_gate.ts";
import { SecretMask } from "./secret_mask.ts";
import {
  MAX_MESSAGE_BYTES,
  type TraceTap,
  type Transport,
  type TransportEnd,
  type WireMessage,
} from "./transport.ts";

/** How the stdio transport is opened. */
export interface StdioTransportOptions {
  /** Longest line in bytes. Default {@link MAX_MESSAGE_BYTES}. */
  readonly maxMessageBytes?: number;
  readonly tap?: TraceTap;
  /** What is secret in how the process was started. Default: nothing. */
  readonly secrets?: readonly string[];
}

/** How long the end of the output and the end of the process may lie apart. */
const END_LAG_MS = 300;
/** How long output is read on after everything that could write it has been ended. */
const LAST_OUTPUT_MS = 500;

/** Opens a transport on a process, whose streams belong to it from then on. */
export function openStdioTransport(
  process: SupervisedProcess,
  options: StdioTransportOptions = {},
): Transport {
  return new StdioTransport(process, options);
}

class StdioTransport implements Transport {
  readonly readable: ReadableStream<WireMessage>;
  readonly writable: WritableStream<WireMessage>;
  readonly closed: Promise<TransportEnd>;
  readonly #process: SupervisedProcess;
  readonly #gate: MessageGate;
  readonly #mask = new SecretMask();
  readonly #limit: number;
  readonly #lines: LineBuffer;
  readonly #stdout: ReadableStreamDefaultReader<Uint8Array>;
  /** Settles when the last of the output has been read. */
  readonly #drained = Promise.withResolvers<void>();
  /** Settles when it is this side that ends the connection, for {@link #reason}. */
  readonly #ending = Promise.withResolvers<undefined>();
  #reason: string | undefined;

  constructor(
    process: SupervisedProcess,
    { maxMessageBytes, tap, secrets = [] }: StdioTransportOptions,
  ) {
    this.#process = process;
    this.#mask.add(secrets);
    this.#gate = new MessageGate(tap, this.#mask);
    this.#limit = maxMessageBytes ?? MAX_MESSAGE_BYTES;
    this.#lines = new LineBuffer(this.#limit);
    this.#stdout = process.stdout.getReader();
    if (tap !== undefined) this.onStderrLine((line) => tap.note(`stderr: ${line}`));
    this.readable = new ReadableStream({
      pull: (controller) => this.#pull(controller),
      cancel: () => void this.close(),
    });
    this.writable = this.#openWritable();
    this.closed = this.#watch();
  }

  stderr(): string {
    return this.#mask.text(this.#process.stderr());
  }

  watchStderr(): () => string {
    const said = this.#process.watchStderr();
    return () => this.#mask.text(said());
  }

  onStderrLine(listener: (line: string) => void): Unsubscribe {
    return this.#process.onStderrLine((line) => listener(this.#mask.text(line)));
  }

  noise(): readonly string[] {
    return this.#gate.noise();
  }

  async close(): Promise<void> {
    this.#end("the connection was closed");
    await this.#process.stop();
    await this.closed;
  }

  /** Reads until there is a message to pass on, or the end. */
  async #pull(controller: ReadableStreamDefaultController<WireMessage>): Promise<void> {
    for (let passed = 0; passed === 0;) {
      const chunk = await this.#read();
      const lines = chunk === undefined ? this.#lines.end() : this.#lines.push(chunk);
      for (const line of lines) {
        const message = this.#gate.incomingLine(line);
        if (message === undefined) continue;
        controller.enqueue(message);
        passed++;
      }
      if (this.#lines.overflowed) {
        this.#end(
          `the agent wrote a line longer than the limit of ${this.#limit} bytes`,
        );
        this.#process.kill();
      }
      if (chunk === undefined || this.#lines.overflowed) {
        this.#drained.resolve();
        controller.close();
        return;
      }
    }
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#stdout.read()).value;
    } catch {
      return undefined; // a broken pipe is an end like any other
    }
  }

  #openWritable(): WritableStream<WireMessage> {
    const encoder = new TextEncoder();
    const stdin = this.#process.stdin.getWriter();
    return new WritableStream({
      write: (message) => {
        this.#gate.outgoing(message);
        return stdin.write(encoder.encode(`${JSON.stringify(message)}\n`));
      },
      close: () => {
        this.#end("the connection was closed");
        return stdin.close();
      },
      abort: () => void this.close(),
    });
  }

  /** Ends the connection from this side. The first reason counts. */
  #end(reason: string): void {
    this.#reason ??= reason;
    this.#ending.resolve(undefined);
  }

  async #watch(): Promise<TransportEnd> {
    const seen = await Promise.race([
      this.#ending.promise,
      this.#process.exited.then(() => "the agent ended"),
      this.#drained.promise.then(() => "the agent closed its output"),
      this.#process.stdinEnded.then(() => "the agent closed its input"),
    ]);
    if (this.#reason !== undefined) await this.#process.stop();
    // The process usually ends with its streams, and its own end says more.
    const exit = await within(this.#process.exited, END_LAG_MS);
    if (this.#reason === undefined) await this.#readRest(exit.ok);
    await this.#stdout.cancel().catch(() => {});
    const reason = this.#reason ?? (exit.ok ? describeExit(exit.value) : seen ?? "");
    return exit.ok ? { ...exit.value, reason } : { reason };
  }

  /** Waits for the end of the output. What the process left behind may hold it open: it is ended. */
  async #readRest(exited: boolean): Promise<void> {
    if (exited) await within(this.#drained.promise, END_LAG_MS);
    void this.#process.stop();
    await within(this.#drained.promise, LAST_OUTPUT_MS);
  }
}

/** One sentence part on how a process ended. */
function describeExit({ code, signal }: ProcessExit): string {
  return signal === null
    ? `the agent ended with exit status ${code}`
    : `the agent was ended by ${signal}`;
}
