/**
 * The life of the program's agent: started, lost, tried again, started anew; and what a person is
 * told of it.
 *
 * @module
 */

import type { Client, ClientOptions } from "../api/contract.ts";
import { type Clock, within } from "../base/clock.ts";
import { type MmError, toMmError } from "../base/errors.ts";
import type { TransportEnd } from "../transport/transport.ts";
import { AgentLink, type OpenClient } from "./agent_link.ts";
import type { Severity } from "./commands/command.ts";
import { joinLines } from "./notice_text.ts";
import type { AppOptions } from "./options.ts";
import { mayPass, Reconnect } from "./reconnect.ts";
import type { Sessions } from "./sessions.ts";
import { describeMethods, type SigningIn } from "./signing_in.ts";
import type { AppState } from "./view.ts";

/** How long a start that was given up may take to end, in milliseconds. */
const GIVE_UP_MS = 1_000;

/** What an agent's life takes place in. */
export interface AgentLifeOptions {
  readonly app: AppOptions;
  readonly sessions: Sessions;
  readonly signing: SigningIn;
  readonly openClient: OpenClient;
  /** The options of the next client. Never rejects. */
  readonly clientOptions: () => Promise<ClientOptions>;
  /** Told of each client before a session is opened. */
  readonly onClient: (client: Client) => void;
  readonly changed: () => void;
  readonly notice: (severity: Severity, text: string, detail?: string) => void;
  /** For the pauses before a lost connection is tried again. Default: the machine's. */
  readonly clock?: Clock;
}

/** Starts the agent, and again when it is lost and somebody wants it. */
export class AgentLife {
  readonly #options: AgentLifeOptions;
  readonly #link: AgentLink;
  readonly #reconnect: Reconnect;
  #phase: AppState["phase"] = "starting";
  #started: Promise<MmError | undefined> = Promise.resolve(undefined);
  /** Why the latest start has failed. */
  #failure: MmError["code"] | undefined;

  constructor(options: AgentLifeOptions) {
    this.#options = options;
    this.#link = new AgentLink(options.openClient, (end, client) => this.#lost(end, client));
    this.#reconnect = new Reconnect(() => void this.restart(), options.clock);
  }

  get phase(): AppState["phase"] {
    return this.#phase;
  }

  /** The open client, if any. */
  get client(): Client | undefined {
    return this.#link.client;
  }

  /** Settles when the latest start has succeeded, or failed with an error. Never rejects. */
  get started(): Promise<MmError | undefined> {
    return this.#started;
  }

  /** Whether the agent is there and has opened no session because nobody is signed in. */
  get wantsSignIn(): boolean {
    const { client } = this;
    return this.#failure === "auth" && client !== undefined &&
      this.#options.signing.isPossible(client);
  }

  /** The number of the try that comes next; `undefined` while the connection is not tried again. */
  get nextTry(): number | undefined {
    return this.#reconnect.active ? this.#reconnect.tries : undefined;
  }

  /** Starts the agent for the first time. */
  begin(): void {
    this.#started = this.#start(false);
  }

  /** Starts it again, unless it is being started or the program ends. */
  async restart(): Promise<void> {
    if (this.#phase === "starting" || this.#phase === "closing") return;
    this.#reconnect.now();
    this.#setPhase("starting");
    this.#started = this.#start(true);
    await this.#started;
  }

  /** Gives up trying again; whether there was something to give up. */
  stopReconnecting(): boolean {
    const { active } = this.#reconnect;
    this.#reconnect.stop();
    this.#options.changed();
    return active;
  }

  /** Says that the program ends: whatever comes now is no loss. */
  beginClosing(): void {
    this.#reconnect.stop();
    this.#setPhase("closing");
  }

  /** Ends the agent, or gives up starting it. Bounded; never rejects. */
  async close(): Promise<void> {
    await this.#link.close();
    await within(this.#started, GIVE_UP_MS);
  }

  async #start(again: boolean): Promise<MmError | undefined> {
    const { app, sessions, notice, onClient, clientOptions } = this.#options;
    // Whoever subscribes right after creating the program misses nothing.
    await null;
    this.#failure = undefined;
    if (again) sessions.detachAll("The agent is started again");
    else for (const line of app.startNotices) notice("info", line);
    try {
      const client = await this.#link.open(await clientOptions());
      onClient(client);
      await sessions.openActive(client);
      this.#setPhase("ready");
      if (this.#reconnect.active) this.#reconnected();
      return undefined;
    } catch (error) {
      return this.#startFailed(toMmError(error));
    } finally {
      sessions.pump();
    }
  }

  #startFailed(error: MmError): MmError {
    const { notice, signing } = this.#options;
    if (this.#phase === "closing") return error;
    this.#failure = error.code;
    if (error.code === "auth") signing.forget();
    const later = this.client === undefined && this.#tryLater(error);
    if (!later) this.#reconnect.stop();
    this.#setPhase(this.client === undefined ? "disconnected" : "ready");
    if (later) return error;
    notice("error", error.message, joinLines(error.hint, error.stderr, this.#advice(error)));
    this.#dropPromptsOfNobody();
    return error;
  }

  /** What can be done about a failed start. */
  #advice({ code }: MmError): string | undefined {
    const { interactive } = this.#options.app;
    const methods = this.client?.initialized.authMethods ?? [];
    if (code === "auth" && methods.length > 0) {
      return `The agent offers: ${describeMethods(methods)}${
        interactive ? ". /login signs in." : ""
      }`;
    }
    return this.client === undefined && interactive ? "Enter or /restart tries again." : undefined;
  }

  /** Whether the connection will be tried again by itself after a try has failed; says so. */
  #tryLater(error: MmError): boolean {
    if (!this.#reconnect.active || !mayPass(error.code)) return false;
    const pause = this.#reconnect.next(error.retryAfterMs);
    if (pause === undefined) return false;
    this.#options.notice("info", error.message, this.#describeTry(pause));
    return true;
  }

  #describeTry(pauseMs: number): string {
    this.#options.changed();
    return `Try ${this.#reconnect.tries} in ${Math.ceil(pauseMs / 1_000)} s. ` +
      "Enter tries now, /reconnect stop stops trying.";
  }

  #reconnected(): void {
    this.#reconnect.connected();
    this.#options.changed();
    const { lastOutcome } = this.#options.sessions.active.store.state;
    const interrupted = lastOutcome?.ok === false
      ? "The last turn was interrupted. It is not sent again by itself: /retry does that."
      : undefined;
    this.#options.notice("info", "Connected again", interrupted);
  }

  #lost(end: TransportEnd, client: Client): void {
    const { app, sessions, notice } = this.#options;
    // While it starts, the start itself fails and says why.
    if (this.#phase === "closing" || this.#phase === "starting") return;
    this.#setPhase("disconnected");
    sessions.detachAll(end.reason);
    if (this.#goesOn(end)) return;
    const stderr = this.#lastWords(client);
    if (app.interactive) notice("info", "Enter or /restart starts the agent again", stderr);
    else if (stderr !== "") notice("error", "The agent's last words", stderr);
    this.#dropPromptsOfNobody();
  }

  /** What the agent said last on its stderr, unless the end of a turn has told it already. */
  #lastWords(client: Client): string {
    const told = this.#options.sessions.all.some(({ lostInTurn }) => lostInTurn);
    return told ? "" : client.stderr().trimEnd();
  }

  /** Whether a lost connection to a remote agent will be opened again by itself; says so. */
  #goesOn({ error }: TransportEnd): boolean {
    const { app, notice } = this.#options;
    if (!app.interactive || app.spec.kind !== "remote") return false;
    if (error !== undefined && !mayPass(error.code)) return false;
    const pause = this.#reconnect.next(error?.retryAfterMs);
    if (pause === undefined) return false;
    notice("info", "The connection will be opened again", this.#describeTry(pause));
    return true;
  }

  /** With nobody there to start the agent again, prompts wait for nothing. */
  #dropPromptsOfNobody(): void {
    if (this.#options.app.interactive) return;
    for (const { queue } of this.#options.sessions.all) queue.clear();
  }

  #setPhase(phase: AppState["phase"]): void {
    if (this.#phase === "closing") return;
    this.#phase = phase;
    this.#options.changed();
  }
}
