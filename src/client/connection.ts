/**
 * One connection to an agent, from `initialize` to its end.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { Transport, TransportEnd } from "../transport/transport.ts";
import type { MethodRouter } from "./router.ts";

/** An authentication method that the agent offers. */
export interface AuthMethod {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** `agent` (the default), `terminal`, or another string as it came. */
  readonly type: string;
  readonly raw: JsonObject;
}

/** The agent's answer to `initialize`, read leniently: absent means not supported. */
export interface InitializeResult {
  readonly protocolVersion: number;
  readonly agentName?: string;
  readonly agentVersion?: string;
  /** The raw `agentCapabilities`. */
  readonly capabilities: JsonObject;
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

/** Bounds of one request. */
export interface RequestOptions {
  /** Aborting sends `$/cancel_request`; the call rejects with the agent's answer to that. */
  readonly signal?: AbortSignal;
  /** Milliseconds; without it the request waits as long as the connection lives. */
  readonly timeoutMs?: number;
}

/** An initialized connection. */
export interface AgentConnection {
  readonly initialized: InitializeResult;
  readonly router: MethodRouter;
  /**
   * Sends a request and gives the raw result. Rejects with `RpcError` (the agent's own error) or
   * `MmError` (`agent_died`, `timeout`).
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  notify(method: string, params?: unknown): Promise<void>;
  /** Settles when the connection has ended; never rejects. */
  readonly closed: Promise<TransportEnd>;
  readonly transport: Transport;
  /** Ends it and the agent behind it. Idempotent. */
  close(): Promise<void>;
}
