/**
 * One connection to an agent, from `initialize` to its end.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { Transport, TransportEnd } from "../transport/transport.ts";
import type { MethodRouter } from "./router.ts";

/**
 * An authentication method that the agent offers.
 *
 * ```ts
 * import type { AuthMethod } from "@mm/repl";
 *
 * const names = (methods: readonly AuthMethod[]) => methods.map(({ name }) => name).join(", ");
 * ```
 */
export interface AuthMethod {
  /** What it is chosen by. */
  readonly id: string;
  /** What it is called to people. */
  readonly name: string;
  /** More about it, for people. */
  readonly description?: string;
  /** `agent` (the default), `terminal`, or another string as it came. */
  readonly type: string;
  /** As it came. */
  readonly raw: JsonObject;
}

/**
 * The agent's answer to `initialize`, read leniently: absent means not supported.
 *
 * ```ts
 * import { openClient } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const { protocolVersion, agentName, capabilities } = client.initialized;
 * console.assert(protocolVersion === 1 && agentName !== undefined);
 * console.assert(capabilities.loadSession === true);
 * await client.close();
 * ```
 */
export interface InitializeResult {
  /** Always 1. */
  readonly protocolVersion: number;
  /** What the agent calls itself. */
  readonly agentName?: string;
  /** Of the agent itself. */
  readonly agentVersion?: string;
  /** The raw `agentCapabilities`. */
  readonly capabilities: JsonObject;
  /** Empty where nobody needs to sign in, or can. */
  readonly authMethods: readonly AuthMethod[];
  /** The whole raw result. */
  readonly raw: JsonObject;
}

/** How to open a connection. */
export interface ConnectionOptions {
  /** For messages: the command line, or the URL. */
  readonly agentName: string;
  readonly router: MethodRouter;
  /** The raw `clientCapabilities`. */
  readonly capabilities: JsonObject;
  readonly clientInfo: { readonly name: string; readonly title?: string; readonly version: string };
  /** Bound of `initialize` in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Receives the raw params of every `session/update`, in the order of the wire and before any
   * answer that follows them. Must not throw.
   */
  readonly onUpdate: (params: unknown) => void;
}

/**
 * Bounds of one request.
 *
 * ```ts
 * import type { RequestOptions } from "@mm/repl";
 *
 * const options: RequestOptions = { timeoutMs: 5_000 };
 * ```
 */
export interface RequestOptions {
  /** Aborting sends `$/cancel_request`; the call rejects with the agent's answer to that. */
  readonly signal?: AbortSignal;
  /** Milliseconds; without it the request waits as long as the connection lives. */
  readonly timeoutMs?: number;
}

/**
 * An initialized connection.
 *
 * ```ts
 * import { type AgentConnection, openClient } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const connection: AgentConnection = client.connection;
 * const page = await connection.request("session/list", {}, { timeoutMs: 5_000 });
 * console.assert(typeof page === "object");
 * await client.close();
 * ```
 */
export interface AgentConnection {
  /** The agent's answer to `initialize`. */
  readonly initialized: InitializeResult;
  /** Where requests and notifications of the agent find their handlers. */
  readonly router: MethodRouter;
  /**
   * Sends a request and gives the raw result.
   *
   * @throws {RpcError} the agent's own error
   * @throws {MmError} `agent_died`, `timeout`
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Sends a notification.
   *
   * @throws {MmError} `agent_died`
   */
  notify(method: string, params?: unknown): Promise<void>;
  /** Settles when the connection has ended; never rejects. */
  readonly closed: Promise<TransportEnd>;
  /** What it goes over; its streams are taken. */
  readonly transport: Transport;
  /** Ends it and the agent behind it. Idempotent. */
  close(): Promise<void>;
}
