/**
 * The sessions of the running program: opened, opened again, switched and closed.
 *
 * @module
 */

import type { Client, Session, SessionOptions } from "../api/contract.ts";
import { MmError } from "../base/errors.ts";
import type { SessionChange, SessionStore } from "../model/session_store.ts";
import { Conversation } from "./conversation.ts";
import {
  notConnected,
  SessionConnector,
  type SessionConnectorOptions,
} from "./session_connector.ts";
import { sessionName } from "./session_name.ts";
import { attach, withTitle } from "./session_opening.ts";

/** What the sessions need from the program. */
export interface SessionsOptions extends SessionConnectorOptions {
  /** The start of the agent that goes on, if any. Never rejects. */
  readonly starting: () => Promise<unknown> | undefined;
  /** Whether prompts may be sent: the agent is there and nothing is being opened. */
  readonly ready: () => boolean;
  /** Whether the program ends. */
  readonly closing: () => boolean;
  readonly event: (store: SessionStore, change: SessionChange) => void;
}

/** All conversations, one of them active. There is always at least one. */
export class Sessions {
  #all: readonly Conversation[];
  #active: Conversation;
  /** Those that are being opened, to be the active one. */
  #opening: readonly Conversation[] = [];
  #opened: Promise<unknown> = Promise.resolve();
  readonly #options: SessionsOptions;
  readonly #connector: SessionConnector;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#connector = new SessionConnector(options);
    this.#active = this.#create(options.app.cwd);
    this.#all = [this.#active];
  }

  get all(): readonly Conversation[] {
    return this.#all;
  }

  get active(): Conversation {
    return this.#active;
  }

  /** The conversation that prompts are for: the one that is being opened, else the active one. */
  get destination(): Conversation {
    return this.#opening.at(-1) ?? this.#active;
  }

  /** The prompts that wait, in whichever conversation. */
  get waiting(): readonly string[] {
    const all = new Set([...this.#all, this.destination]);
    return [...all].flatMap(({ queue }) => queue.texts);
  }

  /** Settles when nothing is being opened any more. Never rejects. */
  get opened(): Promise<unknown> {
    return this.#opened;
  }

  /**
   * Opens the active conversation: again if it was open before, else as what the program was started
   * with.
   *
   * @param mayAsk Whether a person is asked to sign in where the agent wants that first.
   */
  async openActive(client: Client, mayAsk = true): Promise<void> {
    const active = this.#active;
    if (active.store.state.sessionId !== "") {
      return await this.#connector.reopen(client, active, mayAsk);
    }
    await this.#connector.openFirst(client, active, mayAsk);
  }

  /**
   * Opens a new session, in place of an active conversation that never had one. Prompts that wait in
   * one that has none any more go with the person.
   */
  async openNew(cwd: string): Promise<void> {
    const before = this.#active;
    await this.#openInto(cwd, (client, options) => client.newSession(options));
    if (before === this.#active || before.session !== undefined) return;
    this.#active.attachments.add(...before.attachments.takeAll());
    this.#active.queue.adopt(before.queue);
  }

  /** Opens a session that the agent has, by the `title` that it lists it with. */
  async openKnown(sessionId: string, cwd: string, title?: string): Promise<void> {
    const known = this.#all.find(({ store }) => store.state.sessionId === sessionId);
    if (known !== undefined) return await this.switchTo(known);
    await this.#openInto(
      cwd,
      async (client, options) => withTitle(await attach(client, sessionId, options, true), title),
    );
  }

  /** Opens a copy of a conversation. */
  async fork(conversation: Conversation): Promise<void> {
    const { sessionId, cwd } = conversation.store.state;
    await this.#openInto(cwd, (client, options) => client.forkSession(sessionId, options));
  }

  /** Makes a conversation the active one. */
  async switchTo(conversation: Conversation): Promise<void> {
    const client = this.#options.client();
    if (conversation.session === undefined && client !== undefined) {
      await this.#whileOpening(conversation, () => this.#connector.reopen(client, conversation));
    }
    this.#activate(conversation);
  }

  /** Ends a conversation that is not the only one. */
  async close(conversation: Conversation): Promise<void> {
    const next = this.#all.find((other) => other !== conversation);
    if (next === undefined) {
      throw new MmError("usage", "Cannot close the only session", {
        hint: "/new opens another one; /exit leaves.",
      });
    }
    // When the other one cannot be opened again, this one stays.
    if (this.#active === conversation) await this.switchTo(next);
    conversation.queue.clear();
    this.#all = this.#all.filter((other) => other !== conversation);
    const session = conversation.session;
    conversation.detach();
    this.#options.changed();
    await session?.close();
  }

  /** Reads the tools of the active session again; see {@link SessionConnector.reloadTools}. */
  reloadTools(): Promise<void> {
    return this.#connector.reloadTools(this.#active);
  }

  /** Opens the active session again with one more directory. */
  addDirectory(directory: string): Promise<void> {
    return this.#connector.addDirectory(this.#active, directory);
  }

  /** Clears every queue, cancels every turn, and waits for the last of them to end. */
  async endTurns(): Promise<void> {
    this.destination.queue.clear();
    const ends = this.#all.map(async (conversation) => {
      conversation.queue.clear();
      if (conversation.busy) conversation.session?.cancel();
      await conversation.idle();
    });
    await Promise.all(ends);
  }

  /** Lets every session go: the agent is away. */
  detachAll(reason: string): void {
    for (const conversation of this.#all) {
      if (conversation.session === undefined) continue;
      conversation.detach();
      if (!conversation.store.state.disconnected) {
        conversation.store.dispatch({ type: "disconnected", reason });
      }
    }
    this.#options.changed();
  }

  /** Sends what may be sent now. */
  pump(): void {
    for (const conversation of this.#all) conversation.queue.pump();
  }

  async #openInto(
    cwd: string,
    open: (
      client: Client,
      options: SessionOptions,
    ) => Promise<Session>,
  ): Promise<void> {
    const starting = this.#options.starting();
    if (starting === undefined && this.#options.client() === undefined) throw notConnected();
    const before = this.#active;
    // What the start opens is another one.
    const conversation = starting === undefined && isUnused(before, cwd)
      ? before
      : this.#create(cwd);
    await this.#whileOpening(conversation, async () => {
      await starting;
      const client = this.#options.client();
      if (client === undefined) throw notConnected();
      const session = await this.#connector.open(client, conversation, open);
      if (conversation !== before) {
        // The start may have come to nothing.
        const kept = this.#all.filter((other) => other !== before || !isUnused(before, cwd));
        this.#all = [...kept, conversation];
      }
      this.#connector.attach(conversation, session);
      this.#activate(conversation);
    });
  }

  /**
   * Opens a conversation, to which everything goes that is entered meanwhile. When that fails, it
   * waits with the one before, until the person lets it go. What was meant for the conversation
   * already stays with it.
   */
  async #whileOpening(conversation: Conversation, open: () => Promise<void>): Promise<void> {
    const before = this.#active;
    const meant = conversation.queue.texts.length;
    const opening = open();
    this.#opened = Promise.allSettled([this.#opened, opening]);
    this.#opening = [...this.#opening, conversation];
    try {
      await opening;
    } catch (error) {
      if (conversation !== before && conversation.queue.texts.length > meant) {
        conversation.queue.hold();
        before.queue.adopt(conversation.queue, meant);
        this.#tellHeld(before);
      }
      throw error;
    } finally {
      this.#opening = this.#opening.filter((other) => other !== conversation);
      this.#options.changed();
    }
  }

  #tellHeld(conversation: Conversation): void {
    const count = conversation.queue.texts.length;
    conversation.notice(
      "info",
      `${count === 1 ? "1 queued prompt is" : `${count} queued prompts are`} kept: ` +
        "Enter sends what waits, /queue clear drops it",
    );
  }

  #activate(conversation: Conversation): void {
    this.#active = conversation;
    conversation.missed = 0;
    this.#options.changed();
    conversation.queue.pump();
  }

  #create(cwd: string): Conversation {
    const { app, changed, event } = this.#options;
    const conversation = new Conversation(cwd, app.additionalDirectories ?? [], (self) => ({
      send: (prompt) => this.#connector.send(self, prompt),
      ready: () => this.#options.ready() && self.session !== undefined && !self.busy,
      holdAfterTrouble: app.interactive,
      keepsUnsent: () => app.interactive && !this.#options.closing(),
      changed,
      held: () => this.#tellHeld(self),
    }));
    conversation.store.subscribe((change) => {
      if (change.event.type === "cancel_requested") conversation.queue.cancelled();
      // What nobody has said anything in is not worth going back to; many agents do not even keep it.
      if (change.event.type === "prompt_sent") this.#connector.remember(conversation);
      event(conversation.store, change);
      if (conversation !== this.#active) this.#countMissed(conversation, change);
    });
    return conversation;
  }

  /** What happens in a session that is not the active one is counted, and its turn's end is told. */
  #countMissed(conversation: Conversation, { event, state }: SessionChange): void {
    // A session that is being opened is about to be the active one.
    if (!this.#all.includes(conversation) || state.replaying) return;
    if (event.type === "update_received") {
      conversation.missed++;
      this.#options.changed();
    }
    if (event.type === "turn_ended") {
      const number = this.#all.indexOf(conversation) + 1;
      this.#active.notice(
        "info",
        `The turn of session ${sessionName(state)} has ended: /switch ${number}`,
      );
    }
  }
}

/** Whether a conversation never had a session, and waits for one in this directory. */
function isUnused({ session, store }: Conversation, cwd: string): boolean {
  return session === undefined && store.state.sessionId === "" && store.state.cwd === cwd;
}
