/**
 * Transports to agents behind HTTP and WebSockets.
 *
 * @module
 */

import type { AnyMessage } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { guardedFetch } from "./http_fetch.ts";
import { MessageGate } from "./message_gate.ts";
import { describeStatus, explainRemote } from "./remote_errors.ts";
import type { RemoteStream } from "./remote_stream.ts";
import { MAX_MESSAGE_BYTES } from "./stdio.ts";
import type { TraceTap, Transport, TransportEnd, WireMessage } from "./transport.ts";
import { openWebSocket } from "./web_socket.ts";

/** How a remote transport is opened. */
export interface RemoteTransportOptions {
  /** Sent with every request to the host of the URL, and to no other. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborting it ends the connection. */
  readonly signal?: AbortSignal;
  readonly tap?: TraceTap;
}

/** How long a WebSocket may take to open. */
const OPEN_MS = 20_000;
/** How long the end of a connection is waited for. */
const CLOSE_MS = 2_500;

/**
 * Opens a transport to `http(s)://…` (streamable HTTP; the first message must be `initialize`, and
 * failures to connect come with it, in `closed`) or `ws(s)://…`.
 *
 * @throws {MmError} `usage` for a bad URL or header; for a WebSocket that does not open `handshake`,
 * `auth` or `interrupted`.
 */
export async function openRemoteTransport(
  url: string,
  options: RemoteTransportOptions = {},
): Promise<Transport> {
  const address = parseAddress(url);
  const headers = checkHeaders(options.headers ?? {});
  // Without user, password and query, which may be secret.
  const name = `${address.protocol}//${address.host}${address.pathname}`;
  const gate = new MessageGate(options.tap);
  const stream = address.protocol.startsWith("ws")
    ? await connectSocket(address, name, headers, options.signal)
    : createHttpStream(address.href, {
      headers,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      fetch: guardedFetch({
        name,
        maxMessageBytes: MAX_MESSAGE_BYTES,
        onNoise: (text) => gate.skip("not JSON", text),
      }),
    }) as RemoteStream;
  const transport = new RemoteTransport(name, gate, stream);
  const abort = () => void transport.close();
  options.signal?.addEventListener("abort", abort, { once: true });
  if (options.signal?.aborted) abort();
  void transport.closed.then(() => options.signal?.removeEventListener("abort", abort));
  return transport;
}

function parseAddress(url: string): URL {
  const address = URL.parse(url);
  if (address !== null && /^(?:https?|wss?):$/.test(address.protocol)) return address;
  throw new MmError("usage", `Cannot connect to "${url}": it is not an address of an agent`, {
    hint: "Give a URL that starts with http://, https://, ws:// or wss://",
  });
}

function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new MmError(
        "usage",
        `Cannot send the header "${name}": its name or value is not valid`,
      );
    }
  }
  return { ...headers };
}

async function connectSocket(
  address: URL,
  name: string,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<RemoteStream> {
  const late = AbortSignal.timeout(OPEN_MS);
  try {
    const either = signal === undefined ? late : AbortSignal.any([late, signal]);
    return await openWebSocket(address.href, headers, either);
  } catch (error) {
    if (signal?.aborted) throw new MmError("interrupted", `Connecting to ${name} was interrupted`);
    const cause = late.aborted ? new Error(`no answer within ${OPEN_MS / 1000} s`) : error;
    throw explainRemote(name, cause, false).error;
  }
}

class RemoteTransport implements Transport {
  readonly readable: ReadableStream<WireMessage>;
  readonly writable: WritableStream<WireMessage>;
  readonly #name: string;
  readonly #gate: MessageGate;
  readonly #stream: RemoteStream;
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  readonly #end = Promise.withResolvers<TransportEnd>();
  #established = false;
  #closing: Promise<void> | undefined;

  constructor(name: string, gate: MessageGate, stream: RemoteStream) {
    this.#name = name;
    this.#gate = gate;
    this.#stream = stream;
    this.#reader = stream.readable.getReader();
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

  onStderrLine(): () => void {
    return () => {};
  }

  noise(): readonly string[] {
    return this.#gate.noise();
  }

  close(): Promise<void> {
    this.#end.resolve({ reason: "the connection was closed" });
    this.#closing ??= within(this.#reader.cancel().catch(() => {}), CLOSE_MS).then(() => {});
    return this.#closing;
  }

  async #pull(controller: ReadableStreamDefaultController<WireMessage>): Promise<void> {
    for (;;) {
      try {
        const { value, done } = await this.#reader.read();
        if (done) {
          this.#fail(this.#stream.failure?.() ?? new Error("the server closed the connection"));
          return controller.close();
        }
        const message = typeof value === "string"
          ? this.#gate.incomingLine(value)
          : this.#gate.incoming(withStatus(value));
        if (message === undefined) continue;
        this.#established = true;
        return controller.enqueue(message);
      } catch (error) {
        this.#fail(error);
        return controller.close();
      }
    }
  }

  #openWritable(): WritableStream<WireMessage> {
    const writer = this.#stream.writable.getWriter();
    writer.closed.catch(() => {});
    return new WritableStream({
      write: async (message) => {
        this.#gate.outgoing(message);
        try {
          await writer.write(message as AnyMessage);
        } catch (error) {
          this.#fail(error);
        }
      },
      close: () => this.close(),
      abort: () => this.close(),
    });
  }

  /** Ends the connection because of an error; the first one counts. */
  #fail(error: unknown): void {
    this.#end.resolve(explainRemote(this.#name, error, this.#established));
    void this.close();
  }
}

/** Says in words what a status means that the protocol library answered a request with. */
function withStatus(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.error) || !isObject(message.error.data)) {
    return message;
  }
  const { status } = message.error.data;
  if (typeof status !== "number" || !/^ACP [A-Z]/.test(String(message.error.message))) {
    return message;
  }
  return { ...message, error: { ...message.error, message: describeStatus(status) } };
}
