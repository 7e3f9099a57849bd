/**
 * The one seam between the client and the ways to reach an agent.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import type { Unsubscribe } from "../base/listeners.ts";

/** A JSON-RPC message as it goes over the wire. */
export type WireMessage = Record<string, unknown>;

/** Why a transport ended. */
export interface TransportEnd {
  /** One sentence, e.g. `the agent was ended by SIGKILL`, `the connection was closed`. */
  readonly reason: string;
  /** Set when a process ended. */
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Set when the way to a remote agent failed: says why with a code and advice. */
  readonly error?: MmError;
}

/** An open way to an agent. */
export interface Transport {
  /** JSON-RPC messages from the agent; noise is already gone. Ends when the connection ends. */
  readonly readable: ReadableStream<WireMessage>;
  readonly writable: WritableStream<WireMessage>;
  /** Settles when the agent or the connection ended; never rejects. */
  readonly closed: Promise<TransportEnd>;
  /** The agent's last stderr lines; empty where there is no process. */
  stderr(): string;
  /** Calls `listener` with each further complete line of the agent's stderr. */
  onStderrLine(listener: (line: string) => void): Unsubscribe;
  /** The last lines on stdout that were not JSON-RPC, escaped and bounded. */
  noise(): readonly string[];
  /** Ends the connection and everything behind it (the whole process tree). Idempotent. */
  close(): Promise<void>;
}

/** Sees every frame in both directions, and stderr, for traces. */
export interface TraceTap {
  frame(direction: "in" | "out", message: WireMessage): void;
  note(text: string): void;
}
