/**
 * The client at the other end of the connection, as the agent sees it.
 *
 * @module
 */

import type { AgentContext, ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import type { AgentOptions } from "./options.ts";

/** The error of a request that was not answered in time. Its text is that of Go's `context`. */
class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";

  constructor() {
    super("context deadline exceeded");
  }
}

/** What bounds a request. */
export interface Bounds {
  /** Aborting it sends `$/cancel_request` and rejects at once with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds; when they are over, the request ends the same way with {@link DeadlineExceeded}. */
  readonly timeoutMs?: number;
}

/** The client, its capabilities, and the agent's own configuration and stderr. */
export class Peer {
  readonly options: AgentOptions;
  /** One line for the agent's stderr. */
  readonly log: (line: string) => void;
  /** Ends the connection without another word, as a crash would. */
  readonly die: () => void;
  readonly #client: () => AgentContext;
  /** As `initialize` gave them. */
  capabilities: ClientCapabilities = {};

  constructor(
    options: AgentOptions & { readonly stderr: (line: string) => void },
    link: { readonly client: () => AgentContext; readonly die: () => void },
  ) {
    this.options = options;
    this.log = options.stderr;
    this.die = link.die;
    this.#client = link.client;
  }

  /** Sends a request. Rejects with the client's error, or as {@link Bounds} says. */
  async request(method: string, params: unknown, bounds: Bounds = {}): Promise<unknown> {
    bounds.signal?.throwIfAborted();
    const deadline = new AbortController();
    const timer = bounds.timeoutMs === undefined
      ? undefined
      : setTimeout(() => deadline.abort(new DeadlineExceeded()), bounds.timeoutMs);
    const cancellationSignal = bounds.signal
      ? AbortSignal.any([bounds.signal, deadline.signal])
      : deadline.signal;
    try {
      return await this.#client().request<unknown, unknown>(method, params, {
        cancellationSignal,
        stopWaitingOnCancel: true,
      });
    } catch (error) {
      throw cancellationSignal.aborted ? cancellationSignal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a `session/update`. A connection that is gone is not an error: nobody is there to tell. */
  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    try {
      await this.#client().notify("session/update", { sessionId, update });
    } catch {
      // The turn ends through its signal.
    }
  }
}
