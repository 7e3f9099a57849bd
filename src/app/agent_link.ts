/**
 * The connection to the agent: opened, lost, closed, opened again.
 *
 * @module
 */

import type { Client, ClientOptions } from "../api/contract.ts";
import { within } from "../base/clock.ts";
import { MmError } from "../base/errors.ts";
import type { TransportEnd } from "../transport/transport.ts";

/** How long closing a client may take before we go on without it, in milliseconds. */
const CLOSE_MS = 6_000;

/** Opens a client; the library's `openClient`. */
export type OpenClient = (options: ClientOptions) => Promise<Client>;

/** At most one client at a time. */
export class AgentLink {
  #client: Client | undefined;
  #opening: Promise<Client> | undefined;
  #abort = new AbortController();
  readonly #open: OpenClient;
  readonly #lost: (end: TransportEnd, client: Client) => void;

  /** `lost` is called when a client ends that we did not close. */
  constructor(open: OpenClient, lost: (end: TransportEnd, client: Client) => void) {
    this.#open = open;
    this.#lost = lost;
  }

  /** The open client, if any. */
  get client(): Client | undefined {
    return this.#client;
  }

  /** Opens a client in place of the one before. Rejects with what `openClient` rejects with. */
  async open(options: ClientOptions): Promise<Client> {
    await this.close();
    const abort = new AbortController();
    this.#abort = abort;
    const opening = this.#open({ ...options, signal: abort.signal });
    this.#opening = opening;
    const client = await opening;
    if (abort.signal.aborted) {
      throw new MmError("interrupted", "Gave up connecting to the agent: mm-repl ends");
    }
    this.#client = client;
    void client.closed.then((end) => {
      if (this.#client !== client) return;
      this.#client = undefined;
      // What it had started goes with it, also when only its stdout was closed.
      void client.close().catch(() => {});
      this.#lost(end, client);
    });
    return client;
  }

  /** Ends the client and everything behind it, or gives up opening one. Bounded; never rejects. */
  async close(): Promise<void> {
    this.#abort.abort();
    const opening = this.#opening;
    this.#client = undefined;
    this.#opening = undefined;
    if (opening === undefined) return;
    await within(opening.then((client) => client.close()), CLOSE_MS).catch(() => {});
  }
}
