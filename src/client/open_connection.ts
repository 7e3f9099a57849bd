/**
 * Opens connections: the protocol library over a transport, and the handshake.
 *
 * @module
 */

import { client, type ClientConnection, RequestError } from "@agentclientprotocol/sdk";
import { isLoss, NotAvailable } from "../base/acp_errors.ts";
import { within } from "../base/clock.ts";
import { messageOf, MmError } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { errorDialect, meaningOf } from "../model/error_taxonomy.ts";
import type { Transport, TransportEnd } from "../transport/transport.ts";
import type {
  AgentConnection,
  ConnectionOptions,
  InitializeResult,
  RequestOptions,
} from "./connection.ts";
import { fromAgentError } from "./errors.ts";
import {
  cannotStart,
  exitedError,
  notAnAgentError,
  parseInitialize,
  PROTOCOL_VERSION,
  silentError,
} from "./handshake.ts";
import type { CallContext, MethodRouter } from "./router.ts";
import { openSieve, type SievedStream } from "./sieve.ts";
import { SnakeUpdates } from "./snake_updates.ts";

/** Bound of `initialize`. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** How long the end of a process may lag behind the end of its output, and the reverse. */
const END_LAG_MS = 500;

/** How long an agent that cannot be written to may still be read from. */
const DEAF_MS = 1_000;

/**
 * Puts the protocol on a transport and does the handshake. On failure the transport is closed.
 *
 * Throws `MmError`: `agent_exited`, `agent_silent`, `protocol_version`, `auth`, `handshake` or
 * `interrupted` (the signal was aborted).
 */
export async function openConnection(
  transport: Transport,
  options: ConnectionOptions,
): Promise<AgentConnection> {
  const connection = new SdkConnection(transport, options);
  const abort = () => void connection.close();
  options.signal?.addEventListener("abort", abort);
  if (options.signal?.aborted) abort();
  try {
    await connection.initialize();
    return connection;
  } catch (error) {
    await connection.close();
    throw options.signal?.aborted
      ? new MmError("interrupted", `Connecting to "${options.agentName}" was interrupted`)
      : error;
  } finally {
    options.signal?.removeEventListener("abort", abort);
  }
}

/** A connection on the protocol library's client. */
class SdkConnection implements AgentConnection {
  readonly router: MethodRouter;
  readonly transport: Transport;
  readonly closed: Promise<TransportEnd>;
  readonly #options: ConnectionOptions;
  readonly #sieved: SievedStream;
  readonly #sdk: ClientConnection;
  #initialized: InitializeResult | undefined;

  constructor(transport: Transport, options: ConnectionOptions) {
    this.router = options.router;
    this.transport = transport;
    this.#options = options;
    const updates = new SnakeUpdates();
    this.#sieved = openSieve(transport, {
      onNotification: (method, params) => {
        if (method !== "session/update") return options.router.notification(method)?.(params);
        for (const update of updates.standard(params)) options.onUpdate(update);
      },
      onWriteFailed: () => void this.#endWhenDeaf(),
    });
    this.#sdk = client()
      .onRequest(
        "*",
        ({ method, params, requestId, signal }) =>
          answer(this.router, method, params, { requestId: requestId ?? null, signal }),
      )
      .connect(this.#sieved);
    this.closed = this.#watch();
  }

  get initialized(): InitializeResult {
    if (this.#initialized === undefined) throw new Error("not initialized yet");
    return this.#initialized;
  }

  async initialize(): Promise<void> {
    const { agentName, capabilities, clientInfo, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options;
    const answered = this.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: capabilities,
      clientInfo,
    });
    let timed;
    try {
      timed = await within(answered, timeoutMs);
    } catch (error) {
      if (error instanceof MmError && isLoss(error)) {
        throw exitedError(agentName, "initialize", await this.closed, this.transport);
      }
      if (error instanceof RpcError && error.code === RPC.methodNotFound) {
        throw notAnAgentError(agentName, "it does not know the method initialize", this.transport);
      }
      throw fromAgentError(error, {
        what: cannotStart(agentName, this.transport),
        method: "initialize",
        code: "handshake",
        stderr: this.transport.stderr(),
      });
    }
    if (!timed.ok) throw silentError(agentName, "initialize", timeoutMs, this.transport);
    if (!isObject(timed.value)) {
      const why = "its answer to initialize says nothing";
      throw notAnAgentError(agentName, why, this.transport);
    }
    this.#initialized = parseInitialize(timed.value, agentName);
  }

  async request(
    method: string,
    params: unknown = {},
    options: RequestOptions = {},
  ): Promise<unknown> {
    const stderr = this.transport.watchStderr();
    const cancelled = new AbortController();
    const cancel = () => cancelled.abort();
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener("abort", cancel);
    try {
      const answered = this.#sdk.agent.request<unknown, unknown>(method, params, {
        cancellationSignal: cancelled.signal,
      });
      if (options.timeoutMs === undefined) return await answered;
      const timed = await within(answered, options.timeoutMs);
      if (timed.ok) return timed.value;
      cancel();
      answered.catch(() => {});
    } catch (error) {
      if (error instanceof RequestError) throw this.#rpcError(error);
      throw this.#died(await this.closed, stderr());
    } finally {
      options.signal?.removeEventListener("abort", cancel);
    }
    throw new MmError("timeout", `No answer to ${method} within ${options.timeoutMs / 1_000} s`, {
      phase: method,
      stderr: stderr(),
    });
  }

  async notify(method: string, params: unknown = {}): Promise<void> {
    try {
      await this.#sdk.agent.notify<unknown>(method, params);
    } catch {
      throw this.#died(await this.closed, this.transport.stderr());
    }
  }

  async close(): Promise<void> {
    this.#sieved.stop();
    this.#sdk.close();
    await this.transport.close();
  }

  /** Waits for the end of the agent's output or of the agent, whichever comes first. */
  async #watch(): Promise<TransportEnd> {
    await Promise.race([this.#sieved.ended, this.transport.closed]);
    // Both usually end together, and then the process's own end says more.
    const gone = await within(this.transport.closed, END_LAG_MS);
    await within(this.#sieved.ended, END_LAG_MS);
    const end = gone.ok ? gone.value : { reason: "the agent closed its output" };
    this.#sieved.stop();
    this.#sdk.close();
    void this.transport.close();
    return end;
  }

  async #endWhenDeaf(): Promise<void> {
    const timed = await within(this.#sieved.ended, DEAF_MS);
    if (!timed.ok) this.#sieved.stop();
  }

  /** The error with what it means to an agent that has codes of its own. */
  #rpcError({ code, message, data }: RequestError): RpcError {
    const dialect = errorDialect(this.#initialized?.raw ?? {});
    const meaning = dialect === "acp" ? undefined : meaningOf(code, dialect);
    return new RpcError(code, message, data, meaning);
  }

  #died(end: TransportEnd, stderr: string): MmError {
    const message = `Lost the agent "${this.#options.agentName}": ${sanitizeLine(end.reason)}`;
    const hint = end.error?.hint ?? "Start it again to go on.";
    const options = { stderr, hint, cause: end.error };
    return end.error?.code === "auth"
      ? new MmError("auth", message, options)
      : new NotAvailable(message, options);
  }
}

/** Finds the handler of a request and turns what it throws into the library's error. */
async function answer(
  router: MethodRouter,
  method: string,
  params: unknown,
  context: CallContext,
): Promise<unknown> {
  const handler = router.request(method);
  if (handler === undefined) throw RequestError.methodNotFound(method);
  try {
    return await handler(params, context);
  } catch (error) {
    if (error instanceof RpcError) throw new RequestError(error.code, error.message, error.data);
    if (context.signal.aborted) throw RequestError.requestCancelled();
    throw new RequestError(RPC.internalError, messageOf(error));
  }
}
