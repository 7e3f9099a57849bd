/**
 * Transports to agents behind HTTP and WebSockets.
 *
 * @module
 */

import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { MmError } from "../base/errors.ts";
import { describeAddress } from "../model/agent_spec.ts";
import { answersLast } from "./answer_order.ts";
import { HEARTBEAT_TIMES, type HeartbeatTimes } from "./heartbeat.ts";
import { guardedFetch, type GuardedFetchOptions } from "./http_fetch.ts";
import { MessageGate } from "./message_gate.ts";
import { explainRemote } from "./remote_errors.ts";
import type { RemoteStream } from "./remote_stream.ts";
import { RemoteTransport } from "./remote_transport.ts";
import { SecretMask, secretsOf } from "./secret_mask.ts";
import { MAX_MESSAGE_BYTES, type TraceTap, type Transport } from "./transport.ts";
import { openWebSocket } from "./web_socket.ts";

/** How a remote transport is opened. */
export interface RemoteTransportOptions {
  /** Sent with every request to the host of the URL, and to no other. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborting it ends the connection. */
  readonly signal?: AbortSignal;
  readonly tap?: TraceTap;
  /** Bounds of silence, for tests. */
  readonly times?: Partial<RemoteTimes>;
}

/** How long a server may be silent in which case; milliseconds. */
export interface RemoteTimes extends HeartbeatTimes {
  /** Until a message that was sent over HTTP is accepted, or anything comes. Default 60,000. */
  readonly answerMs: number;
  /**
   * Until the next message is sent though the server has not answered the one before, besides what
   * its sending takes. Default 1,000.
   */
  readonly nextMs: number;
  /** In the middle of an event over HTTP. Default 60,000. */
  readonly stallMs: number;
}

const TIMES: RemoteTimes = {
  ...HEARTBEAT_TIMES,
  answerMs: 60_000,
  nextMs: 1_000,
  stallMs: 60_000,
};
/** How long a WebSocket may take to open. */
const OPEN_MS = 20_000;
/** How far the streams of one HTTP connection may be apart, in milliseconds. */
const ORDER_MS = 100;

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
  const name = describeAddress(url);
  const mask = new SecretMask();
  mask.add(secretsOf(address, headers));
  const gate = new MessageGate(options.tap, mask);
  const times = { ...TIMES, ...options.times };
  let onBytes = () => {};
  let retryAfterMs: number | undefined;
  const stream = address.protocol.startsWith("ws")
    ? await connectSocket(address, { name, headers, mask, signal: options.signal })
    : connectHttp(address, headers, {
      name,
      mask,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      answerMs: times.answerMs,
      nextMs: times.nextMs,
      stallMs: times.stallMs,
      onNoise: (text) => gate.skip("not JSON", text),
      onBytes: () => onBytes(),
      onRefusal: (ms) => retryAfterMs = ms,
    });
  const transport = new RemoteTransport({
    name,
    gate,
    stream,
    times,
    mask,
    retryAfterMs: () => retryAfterMs,
    proxy: proxyVariable(address),
  });
  onBytes = () => transport.signOfLife();
  const abort = () => void transport.close();
  options.signal?.addEventListener("abort", abort, { once: true });
  if (options.signal?.aborted) abort();
  void transport.closed.then(() => options.signal?.removeEventListener("abort", abort));
  return transport;
}

/** The environment variable with the proxy that leads to an address. */
function proxyVariable({ protocol, hostname }: URL): string | undefined {
  const exempt = Deno.env.get("NO_PROXY") ?? Deno.env.get("no_proxy") ?? "";
  if (exempt.split(",").some((host) => host.trim() === "*" || host.trim() === hostname)) {
    return undefined;
  }
  const kind = /^(?:https|wss):$/.test(protocol) ? "HTTPS_PROXY" : "HTTP_PROXY";
  return [kind, kind.toLowerCase()].find((name) => (Deno.env.get(name) ?? "") !== "");
}

function parseAddress(url: string): URL {
  const address = URL.parse(url);
  if (address !== null && /^(?:https?|wss?):$/.test(address.protocol)) return address;
  const name = describeAddress(url);
  throw new MmError("usage", `Cannot connect to "${name}": it is not an address of an agent`, {
    hint: "Give a URL that starts with http://, https://, ws:// or wss://.",
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

function connectHttp(
  address: URL,
  headers: Record<string, string>,
  options: GuardedFetchOptions,
): RemoteStream {
  const { readable, writable } = createHttpStream(address.href, {
    headers,
    maxMessageBytes: options.maxMessageBytes,
    fetch: guardedFetch(options),
  });
  return { readable: answersLast(readable, ORDER_MS), writable };
}

async function connectSocket(
  address: URL,
  { name, headers, mask, signal }: {
    readonly name: string;
    readonly headers: Record<string, string>;
    readonly mask: SecretMask;
    readonly signal: AbortSignal | undefined;
  },
): Promise<RemoteStream> {
  const late = AbortSignal.timeout(OPEN_MS);
  try {
    const either = signal === undefined ? late : AbortSignal.any([late, signal]);
    return await openWebSocket(address.href, {
      headers,
      signal: either,
      maxMessageBytes: MAX_MESSAGE_BYTES,
    });
  } catch (error) {
    if (signal?.aborted) throw new MmError("interrupted", `Connecting to ${name} was interrupted`);
    const cause = late.aborted ? new Error(`no answer within ${OPEN_MS / 1000} s`) : error;
    const proxy = proxyVariable(address);
    throw explainRemote(cause, { name, established: false, mask, proxy }).error;
  }
}
