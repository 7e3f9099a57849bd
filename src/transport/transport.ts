/**
 * The one seam between the client and the ways to reach an agent.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import type { Unsubscribe } from "../base/listeners.ts";

/** Longest message that an agent may send, in bytes; a longer one ends the connection. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * A JSON-RPC message as it goes over the wire.
 *
 * ```ts
 * import type { WireMessage } from "@mm/repl";
 *
 * const message: WireMessage = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
 * ```
 */
export type WireMessage = Record<string, unknown>;

/**
 * Why a transport ended.
 *
 * ```ts
 * import type { TransportEnd } from "@mm/repl";
 *
 * const end: TransportEnd = { reason: "the agent was ended by SIGKILL", signal: "SIGKILL" };
 * ```
 */
export interface TransportEnd {
  /** One sentence, e.g. `the agent was ended by SIGKILL`, `the connection was closed`. */
  readonly reason: string;
  /** Exit status of a process that ended; `null` when a signal ended it. */
  readonly code?: number | null;
  /** Signal that ended a process, or `null`. */
  readonly signal?: string | null;
  /** Set when the way to a remote agent failed: says why with a code and advice. */
  readonly error?: MmError;
}

/**
 * An open way to an agent.
 *
 * ```ts
 * import { openClient, type Transport } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const transport: Transport = client.connection.transport;
 * console.assert(transport.noise().length === 0);
 * await client.close();
 * ```
 */
export interface Transport {
  /** Where a remote agent is, without secrets; absent where the agent is a process. */
  readonly address?: string;
  /** JSON-RPC messages from the agent; noise is already gone. Ends when the connection ends. */
  readonly readable: ReadableStream<WireMessage>;
  /** JSON-RPC messages to the agent. */
  readonly writable: WritableStream<WireMessage>;
  /** Settles when the agent or the connection ended; never rejects. */
  readonly closed: Promise<TransportEnd>;
  /** The agent's last stderr lines; empty where there is no process. */
  stderr(): string;
  /** Starts to watch stderr: the function gives the last lines of what came since then. */
  watchStderr(): () => string;
  /** Calls `listener` with each further complete line of the agent's stderr. */
  onStderrLine(listener: (line: string) => void): Unsubscribe;
  /** The last lines on stdout that were not JSON-RPC, escaped and bounded. */
  noise(): readonly string[];
  /** Ends the connection and everything behind it (the whole process tree). Idempotent. */
  close(): Promise<void>;
}

/**
 * Sees every frame in both directions, and stderr, for traces.
 *
 * ```ts
 * import { connect, type TraceTap } from "@mm/repl";
 *
 * const methods: unknown[] = [];
 * const tap: TraceTap = { frame: (_, message) => methods.push(message.method), note() {} };
 * await using client = await connect({ kind: "demo" }, { tap });
 * console.assert(methods[0] === "initialize");
 * ```
 */
export interface TraceTap {
  /** Called with every message: `out` to the agent, `in` from it. Must not throw. */
  frame(direction: "in" | "out", message: WireMessage): void;
  /** Called with every line of stderr, and of stdout that is no message. Must not throw. */
  note(text: string): void;
}
