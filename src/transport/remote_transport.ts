/**
 * A connection to a remote agent as a transport: noise kept out, its end explained, its silence
 * watched.
 *
 * @module
 */

import type { AnyMessage } from "@agentclientprotocol/sdk";
import { within } from "../base/clock.ts";
import { isObject } from "../base/guards.ts";
import { parseJson } from "../base/json.ts";
import { Heartbeat, type HeartbeatTimes } from "./heartbeat.ts";
import type { MessageGate } from "./message_gate.ts";
import { explainRemote } from "./remote_errors.ts";
import type { RemoteStream } from "./remote_stream.ts";
import { inWords, markFailure } from "./library_errors.ts";
import type { SecretMask } from "./secret_mask.ts";
import type { Transport, TransportEnd, WireMessage } from "./transport.ts";

/** How the ids of our own questions begin, and what they ask. */
const PING_ID = "mm-repl-ping-";
const PING_METHOD = "_org.mini-me.repl/ping";
/** How long the end of a connection is waited for. */
const CLOSE_MS = 2_500;

/** What a remote transport is made of. */
export interface RemoteTransportParts {
  /** The address, without secrets. */
  readonly name: string;
  readonly gate: MessageGate;
  readonly stream: RemoteStream;
  readonly times: HeartbeatTimes;
  readonly mask: SecretMask;
  /** How long the server has asked to wait with its last refusal, in milliseconds. */
  readonly retryAfterMs: () => number | undefined;
  /** The environment variable that names the proxy in between. */
  readonly proxy: string | undefined;
}

/** See {@link Transport}. */
export class RemoteTransport implements Transport {
  readonly readable: ReadableStream<WireMessage>;
  readonly writable: WritableStream<WireMessage>;
  readonly address: string;
  readonly #parts: RemoteTransportParts;
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #end = Promise.withResolvers<TransportEnd>();
  readonly #writer: WritableStreamDefaultWriter<unknown>;
  readonly #heartbeat: Heartbeat;
  #pings = 0;
  #established = false;
  #closing: Promise<void> | undefined;

  constructor(parts: RemoteTransportParts) {
    const { name, gate, stream, times } = parts;
    this.address = name;
    this.#parts = parts;
    this.#reader = stream.readable.getReader();
    this.#writer = stream.writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#heartbeat = new Heartbeat({
      times,
      ping: () => void this.#ping(),
      busy: () => gate.waiting > 0,
      gone: (silentMs) =>
        this.#fail(new Error(`the server has shown no sign of life for ${silentMs / 1_000} s`)),
    });
    this.readable = new ReadableStream({
      pull: (controller) => this.#pull(controller),
      cancel: () => void this.close(),
    });
    this.writable = this.#openWritable();
  }

  get closed(): Promise<TransportEnd> {
    return this.#end.promise;
  }

  stderr(): string {
    return "";
  }

  watchStderr(): () => string {
    return () => "";
  }

  onStderrLine(): () => void {
    return () => {};
  }

  noise(): readonly string[] {
    return this.#parts.gate.noise();
  }

  /** Something came that is no message. */
  signOfLife(): void {
    if (this.#established) this.#heartbeat.alive(true);
  }

  close(): Promise<void> {
    this.#heartbeat.stop();
    this.#end.resolve({ reason: "the connection was closed" });
    this.#closing ??= within(this.#reader.cancel().catch(() => {}), CLOSE_MS).then(() => {});
    return this.#closing;
  }

  async #pull(controller: ReadableStreamDefaultController<WireMessage>): Promise<void> {
    for (;;) {
      try {
        const { value, done } = await this.#reader.read();
        if (done) {
          this.#fail(
            this.#parts.stream.failure?.() ?? new Error("the server closed the connection"),
          );
          return controller.close();
        }
        const message = this.#receive(value);
        if (message === undefined) continue;
        this.#established = true;
        this.#heartbeat.alive();
        return controller.enqueue(message);
      } catch (error) {
        this.#fail(error);
        return controller.close();
      }
    }
  }

  /** Lets messages through, and keeps the answers to our own questions. */
  #receive(value: unknown): WireMessage | undefined {
    if (typeof value !== "string") {
      if (this.#isPong(value)) return undefined;
      const ours = inWords(value);
      if (ours === undefined) return this.#parts.gate.incoming(value);
      const passed = this.#parts.gate.incoming(ours);
      markFailure(passed);
      return passed;
    }
    if (value.includes(PING_ID) && this.#isPong(parseJson(value))) return undefined;
    return this.#parts.gate.incomingLine(value);
  }

  #isPong(value: unknown): boolean {
    if (!isObject(value) || "method" in value) return false;
    if (typeof value.id !== "string" || !value.id.startsWith(PING_ID)) return false;
    this.#heartbeat.alive(true);
    return true;
  }

  async #ping(): Promise<void> {
    const id = `${PING_ID}${++this.#pings}`;
    await this.#write({ jsonrpc: "2.0", id, method: PING_METHOD, params: {} });
  }

  #openWritable(): WritableStream<WireMessage> {
    return new WritableStream({
      write: async (message) => {
        this.#parts.gate.outgoing(message);
        await this.#write(message);
      },
      close: () => this.close(),
      abort: () => this.close(),
    });
  }

  async #write(message: WireMessage): Promise<void> {
    try {
      await this.#writer.write(message as AnyMessage);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Ends the connection because of an error; the first one counts. */
  #fail(error: unknown): void {
    const { name, mask, proxy, retryAfterMs } = this.#parts;
    const established = this.#established;
    this.#end.resolve(
      explainRemote(error, { name, established, mask, proxy, retryAfterMs: retryAfterMs() }),
    );
    void this.close();
  }
}
