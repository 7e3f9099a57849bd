/**
 * The sessions of the running program: opened, opened again, switched and closed.
 *
 * @module
 */

import type { Client, Session, SessionOptions } from "../api/contract.ts";
import { MmError, toMmError } from "../base/errors.ts";
import { supports } from "../client/sessions.ts";
import { remoteHost } from "../model/agent_spec.ts";
import type { SessionChange, SessionStore } from "../model/session_store.ts";
import type { TurnOutcome } from "../model/session.ts";
import { requestFailure } from "../transport/remote_errors.ts";
import type { Prompt } from "./attachments.ts";
import { Conversation } from "./conversation.ts";
import type { AgentMemory } from "./memory.ts";
import type { AppOptions } from "./options.ts";
import { watchPermissions } from "./permission_question.ts";
import type { Permissions } from "./permissions.ts";
import { sendPrompt } from "./prompt_sending.ts";
import type { QuestionQueue } from "./questions.ts";
import { attach, canReopen, openFirst, reopen } from "./session_opening.ts";
import { sessionName } from "./session_name.ts";
import { applySettings } from "./session_settings.ts";
import { sessionSetup } from "./session_setup.ts";
import type { SigningIn } from "./signing_in.ts";
import { toolboxNotices } from "./toolbox_notices.ts";

/** What the sessions need from the program. */
export interface SessionsOptions {
  readonly app: AppOptions;
  readonly questions: QuestionQueue;
  readonly memory: AgentMemory;
  readonly signing: SigningIn;
  readonly permissions: Permissions;
  readonly client: () => Client | undefined;
  /** Whether prompts may be sent: the agent is there and nothing is being opened. */
  readonly ready: () => boolean;
  /** Whether the program ends. */
  readonly closing: () => boolean;
  readonly changed: () => void;
  readonly event: (store: SessionStore, change: SessionChange) => void;
  readonly allowOutside: (path: string) => Promise<boolean>;
}

/** All conversations, one of them active. There is always at least one. */
export class Sessions {
  #all: readonly Conversation[];
  #active: Conversation;
  /** The session that was remembered last as the newest one. */
  #remembered = "";
  /** Those that are being opened, to be the active one. */
  #opening: readonly Conversation[] = [];
  #opened: Promise<unknown> = Promise.resolve();
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
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

  /** Settles when nothing is being opened any more. Never rejects. */
  get opened(): Promise<unknown> {
    return this.#opened;
  }

  /** Adds a notice to a conversation, the active one by default. */
  notice(
    severity: "info" | "warning" | "error",
    text: string,
    detail?: string,
    conversation = this.#active,
  ): void {
    conversation.store.dispatch({
      type: "notice_added",
      severity,
      text,
      ...(detail === undefined || detail === "" ? {} : { detail }),
    });
  }

  /**
   * Opens the active conversation: again if it was open before, else as what the program was started
   * with.
   *
   * @param mayAsk Whether a person is asked to sign in where the agent wants that first.
   */
  async openActive(client: Client, mayAsk = true): Promise<void> {
    if (this.#active.store.state.sessionId === "") await this.#openFirst(client, mayAsk);
    else await this.#reopen(client, this.#active, mayAsk);
  }

  async #openFirst(client: Client, mayAsk: boolean): Promise<void> {
    const { app, memory } = this.#options;
    const conversation = this.#active;
    const open = () =>
      openFirst({
        client,
        app,
        memory,
        session: this.#sessionOptions(client, conversation, app.cwd),
        notice: (text) => this.notice("info", text),
      });
    const session = await this.#signedIn(client, open, mayAsk);
    this.#attach(conversation, session);
    await applySettings(session, app);
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

  /** Opens a session that the agent has. */
  async openKnown(sessionId: string, cwd: string): Promise<void> {
    const known = this.#all.find(({ store }) => store.state.sessionId === sessionId);
    if (known !== undefined) return await this.switchTo(known);
    await this.#openInto(
      cwd,
      async (client, options) => await attach(client, sessionId, options, true),
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
      await this.#whileOpening(conversation, () => this.#reopen(client, conversation));
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
    conversation.queue.clear();
    this.#all = this.#all.filter((other) => other !== conversation);
    if (this.#active === conversation) await this.switchTo(next);
    const session = conversation.session;
    conversation.detach();
    this.#options.changed();
    await session?.close();
  }

  /** Reads the tools again and, where that can be, lets the agent ask for the list again. */
  async reloadTools(): Promise<void> {
    const client = this.#options.client();
    const conversation = this.#active;
    const { session } = conversation;
    if (client === undefined || session === undefined) throw notConnected();
    if (conversation.busy) {
      throw new MmError("usage", "Cannot read the tools again while a turn runs");
    }
    conversation.told.clear();
    let trouble: string | undefined;
    if (canReopen(client)) {
      try {
        return await this.#reopen(client, conversation);
      } catch (error) {
        // An agent that does not open it a second time may still go on with it.
        if (client.sessions.get(session.id) !== session) throw error;
        this.#attach(conversation, session);
        trouble = toMmError(error).message;
      }
    }
    await session.toolbox?.reload();
    this.#warn(conversation, toolboxNotices(session.toolbox));
    this.notice(
      trouble === undefined ? "info" : "warning",
      "The agent learns of new tools and descriptions with the next /new session",
      trouble,
    );
  }

  /** Opens the active session again with one more directory. */
  async addDirectory(directory: string): Promise<void> {
    const client = this.#options.client();
    const conversation = this.#active;
    if (client === undefined || conversation.session === undefined) throw notConnected();
    if (!supports(client.initialized, "additionalDirectories")) {
      throw new MmError("not_supported", "Cannot add a directory: the agent does not offer it", {
        hint: "/new DIR starts a session there.",
      });
    }
    if (!canReopen(client)) {
      throw new MmError(
        "not_supported",
        "Cannot add a directory: the agent cannot open a session again",
        { hint: "Start mm-repl with --add-dir." },
      );
    }
    if (conversation.busy) throw new MmError("usage", "Cannot add a directory while a turn runs");
    const before = conversation.directories;
    if (before.includes(directory) || directory === conversation.store.state.cwd) return;
    conversation.directories = [...before, directory];
    try {
      await this.#reopen(client, conversation);
    } catch (error) {
      conversation.directories = before;
      throw error;
    }
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
    const client = this.#options.client();
    if (client === undefined) throw notConnected();
    const unused = this.#active.session === undefined &&
      this.#active.store.state.sessionId === "" && this.#active.store.state.cwd === cwd;
    const conversation = unused ? this.#active : this.#create(cwd);
    await this.#whileOpening(conversation, async () => {
      const session = await this.#signedIn(
        client,
        () => open(client, this.#sessionOptions(client, conversation, cwd)),
      );
      if (!unused) this.#all = [...this.#all, conversation];
      this.#attach(conversation, session);
      this.#activate(conversation);
    });
  }

  /**
   * Opens a conversation, to which everything goes that is entered meanwhile. When that fails, it
   * waits with the one before, until the person lets it go.
   */
  async #whileOpening(conversation: Conversation, open: () => Promise<void>): Promise<void> {
    const before = this.#active;
    const opening = open();
    this.#opened = Promise.allSettled([this.#opened, opening]);
    this.#opening = [...this.#opening, conversation];
    try {
      await opening;
    } catch (error) {
      if (conversation !== before && conversation.queue.texts.length > 0) {
        conversation.queue.hold();
        before.queue.adopt(conversation.queue);
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
    this.notice(
      "info",
      `${count === 1 ? "1 queued prompt is" : `${count} queued prompts are`} kept: ` +
        "Enter sends what waits, /queue clear drops it",
      undefined,
      conversation,
    );
  }

  async #reopen(client: Client, conversation: Conversation, mayAsk = true): Promise<void> {
    const { store } = conversation;
    conversation.detach();
    const open = () =>
      reopen({
        client,
        store,
        session: this.#sessionOptions(client, conversation, store.state.cwd),
        notice: (text) => this.notice("warning", text, undefined, conversation),
      });
    this.#attach(conversation, await this.#signedIn(client, open, mayAsk));
  }

  /** Opens a session; where the agent wants a person to sign in first, once more after that. */
  async #signedIn<T>(client: Client, open: () => Promise<T>, mayAsk = true): Promise<T> {
    const { signing } = this.#options;
    try {
      return await open();
    } catch (error) {
      const wanted = mayAsk && toMmError(error).code === "auth" && signing.isPossible(client);
      if (!wanted || !await signing.signIn(client)) throw error;
      return await open();
    }
  }

  #activate(conversation: Conversation): void {
    this.#active = conversation;
    conversation.missed = 0;
    this.#options.changed();
    conversation.queue.pump();
  }

  #attach(conversation: Conversation, session: Session): void {
    const { questions, permissions, changed } = this.#options;
    conversation.attach(
      session,
      watchPermissions(
        conversation.store,
        questions,
        (requestId, optionId, entry) => {
          session.answerPermission(requestId, optionId);
          permissions.answered(entry, optionId, conversation.store);
        },
        remoteHost(this.#options.app.spec),
      ),
    );
    this.#warn(conversation, toolboxNotices(session.toolbox));
    if (conversation.store.state.open.prompt !== undefined) this.#remember(conversation);
    changed();
    conversation.queue.pump();
  }

  #remember({ store: { state: { sessionId, cwd } } }: Conversation): void {
    if (this.#remembered === sessionId) return;
    this.#remembered = sessionId;
    void this.#options.memory.rememberSession(sessionId, cwd);
  }

  #sessionOptions(client: Client, conversation: Conversation, cwd: string): SessionOptions {
    const { options, warnings } = sessionSetup(client, this.#options.app, conversation, cwd);
    this.#warn(conversation, warnings);
    return options;
  }

  /** Tells each warning once. */
  #warn(conversation: Conversation, warnings: readonly string[]): void {
    for (const text of warnings) {
      if (conversation.told.has(text)) continue;
      conversation.told.add(text);
      this.notice("warning", text, undefined, conversation);
    }
  }

  #create(cwd: string): Conversation {
    const { app, changed, event } = this.#options;
    const conversation = new Conversation(cwd, app.additionalDirectories ?? [], (self) => ({
      send: (prompt) => this.#send(self, prompt),
      ready: () => this.#options.ready() && self.session !== undefined && !self.busy,
      holdAfterTrouble: app.interactive,
      keepsUnsent: () => app.interactive && !this.#options.closing(),
      changed,
      held: () => this.#tellHeld(self),
    }));
    conversation.store.subscribe((change) => {
      if (change.event.type === "cancel_requested") conversation.queue.cancelled();
      // What nobody has said anything in is not worth going back to; many agents do not even keep it.
      if (change.event.type === "prompt_sent") this.#remember(conversation);
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
      this.notice("info", `The turn of session ${sessionName(state)} has ended: /switch ${number}`);
    }
  }

  async #send(conversation: Conversation, prompt: Prompt): Promise<TurnOutcome | undefined> {
    const client = this.#options.client();
    if (client === undefined || conversation.session === undefined) return undefined;
    if (conversation.conflicted && !await this.#reclaim(client, conversation)) return undefined;
    const outcome = await sendPrompt(conversation, prompt, {
      client,
      signing: this.#options.signing,
      allowOutside: this.#options.allowOutside,
      notice: (severity, line, detail) => this.notice(severity, line, detail, conversation),
    });
    conversation.conflicted = isConflict(outcome);
    return outcome;
  }

  /** Opens a session again that another connection has had. False when that cannot be, and says so. */
  async #reclaim(client: Client, conversation: Conversation): Promise<boolean> {
    // A new session in its place would know nothing; the old one may work again.
    if (!canReopen(client)) return true;
    try {
      await this.#reopen(client, conversation);
      return true;
    } catch (error) {
      const advice =
        "The prompt is kept: /reconnect tries again and sends it, /restart over a new connection.";
      this.notice("error", toMmError(error).message, advice, conversation);
      return false;
    }
  }
}

/** Whether a turn failed because another connection has the session. */
function isConflict(outcome: TurnOutcome | undefined): boolean {
  if (outcome === undefined || outcome.ok || outcome.error.rpc === undefined) return false;
  return requestFailure(outcome.error.rpc)?.status === 409;
}

function notConnected(): MmError {
  return new MmError("agent_died", "The agent is not connected", {
    hint: "/restart starts it again.",
  });
}
