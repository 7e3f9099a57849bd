/**
 * What joins a conversation to its session at the agent: opening it, again and anew, and sending.
 *
 * @module
 */

import type { Client, Session, SessionOptions } from "../api/contract.ts";
import { MmError, toMmError } from "../base/errors.ts";
import { supports } from "../client/sessions.ts";
import { remoteHost } from "../model/agent_spec.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { Prompt } from "./attachments.ts";
import type { Conversation } from "./conversation.ts";
import type { AgentMemory } from "./memory.ts";
import type { AppOptions } from "./options.ts";
import { watchPermissions } from "./permission_question.ts";
import type { Permissions } from "./permissions.ts";
import { sendPrompt } from "./prompt_sending.ts";
import type { QuestionQueue } from "./questions.ts";
import { canReopen, isUnknown, openFirst, reopen } from "./session_opening.ts";
import { applySettings } from "./session_settings.ts";
import { sessionSetup } from "./session_setup.ts";
import type { SigningIn } from "./signing_in.ts";
import { toolboxNotices } from "./toolbox_notices.ts";

/** What it needs from the program. */
export interface SessionConnectorOptions {
  readonly app: AppOptions;
  readonly questions: QuestionQueue;
  readonly memory: AgentMemory;
  readonly signing: SigningIn;
  readonly permissions: Permissions;
  readonly client: () => Client | undefined;
  readonly changed: () => void;
  readonly allowOutside: (path: string) => Promise<boolean>;
}

/** Opens the sessions of conversations, one conversation at a time. */
export class SessionConnector {
  readonly #options: SessionConnectorOptions;
  /** The session that was remembered last as the newest one. */
  #remembered = "";

  constructor(options: SessionConnectorOptions) {
    this.#options = options;
  }

  /**
   * Opens what the program was started with.
   *
   * @param mayAsk Whether a person is asked to sign in where the agent wants that first.
   */
  async openFirst(
    client: Client,
    conversation: Conversation,
    mayAsk: boolean,
  ): Promise<void> {
    const { app, memory } = this.#options;
    const open = () =>
      openFirst({
        client,
        app,
        memory,
        session: this.#sessionOptions(client, conversation, app.cwd),
        notice: (text) => conversation.notice("info", text),
      });
    const session = await this.#signedIn(client, open, mayAsk);
    this.attach(conversation, session);
    await applySettings(session, app);
  }

  /** Opens a session for a conversation that has none yet; {@link attach} then gives it to it. */
  open(
    client: Client,
    conversation: Conversation,
    open: (client: Client, options: SessionOptions) => Promise<Session>,
  ): Promise<Session> {
    const { cwd } = conversation.store.state;
    return this.#signedIn(
      client,
      () => open(client, this.#sessionOptions(client, conversation, cwd)),
    );
  }

  /** Opens the session of a conversation again, or a new one in its place. */
  async reopen(client: Client, conversation: Conversation, mayAsk = true): Promise<void> {
    const { store } = conversation;
    conversation.detach();
    const open = () =>
      reopen({
        client,
        store,
        session: this.#sessionOptions(client, conversation, store.state.cwd),
        notice: (text) => conversation.notice("warning", text),
      });
    conversation.reopening = true;
    try {
      this.attach(conversation, await this.#signedIn(client, open, mayAsk));
    } catch (error) {
      conversation.gone = isUnknown(error);
      throw error;
    } finally {
      conversation.reopening = false;
    }
  }

  /** Gives a conversation its session, and sends what may be sent now. */
  attach(conversation: Conversation, session: Session): void {
    const { questions, permissions, changed } = this.#options;
    conversation.attach(
      session,
      watchPermissions(conversation.store, {
        questions,
        answer: (requestId, optionId, entry) => {
          session.answerPermission(requestId, optionId);
          permissions.answered(entry, optionId, conversation.store);
        },
        host: remoteHost(this.#options.app.spec),
        decided: () => permissions.decided(),
      }),
    );
    conversation.warn(toolboxNotices(session.toolbox, this.#options.app.interactive));
    if (conversation.store.state.open.prompt !== undefined) this.remember(conversation);
    changed();
    conversation.queue.pump();
  }

  /** Reads the tools again and, where that can be, lets the agent ask for the list again. */
  async reloadTools(conversation: Conversation): Promise<void> {
    const client = this.#options.client();
    const { session } = conversation;
    if (client === undefined || session === undefined) throw notConnected();
    if (conversation.busy) {
      throw new MmError("usage", "Cannot read the tools again while a turn runs");
    }
    conversation.told.clear();
    let trouble: string | undefined;
    if (canReopen(client)) {
      try {
        return await this.reopen(client, conversation);
      } catch (error) {
        // An agent that does not open it a second time may still go on with it.
        if (client.sessions.get(session.id) !== session) throw error;
        this.attach(conversation, session);
        trouble = toMmError(error).message;
      }
    }
    await session.toolbox?.reload();
    conversation.warn(toolboxNotices(session.toolbox, this.#options.app.interactive));
    conversation.notice(
      trouble === undefined ? "info" : "warning",
      "The agent learns of new tools and descriptions with the next /new session",
      trouble,
    );
  }

  /** Opens a session again with one more directory. */
  async addDirectory(conversation: Conversation, directory: string): Promise<void> {
    const client = this.#options.client();
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
      await this.reopen(client, conversation);
    } catch (error) {
      conversation.directories = before;
      throw error;
    }
  }

  /** Sends a prompt and waits for its turn; `undefined` when it could not be sent. Never rejects. */
  async send(conversation: Conversation, prompt: Prompt): Promise<TurnOutcome | undefined> {
    const client = this.#options.client();
    if (client === undefined || conversation.session === undefined) return undefined;
    if (conversation.conflicted && !await this.#reclaim(client, conversation)) return undefined;
    return await sendPrompt(conversation, prompt, {
      client,
      signing: this.#options.signing,
      allowOutside: this.#options.allowOutside,
      notice: (severity, line, detail) => conversation.notice(severity, line, detail),
    });
  }

  /** Remembers a session as the newest one of its directory. */
  remember({ store: { state: { sessionId, cwd } } }: Conversation): void {
    if (this.#remembered === sessionId) return;
    this.#remembered = sessionId;
    void this.#options.memory.rememberSession(sessionId, cwd);
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

  #sessionOptions(client: Client, conversation: Conversation, cwd: string): SessionOptions {
    const { options, warnings } = sessionSetup(client, this.#options.app, conversation, cwd);
    conversation.warn(warnings);
    return options;
  }

  /** Opens a session again that another connection has had. False when that cannot be, and says so. */
  async #reclaim(client: Client, conversation: Conversation): Promise<boolean> {
    // A new session in its place would know nothing; the old one may work again.
    if (!canReopen(client)) return true;
    try {
      await this.reopen(client, conversation);
      return true;
    } catch (error) {
      const advice =
        "The prompt is kept: /reconnect tries again and sends it, /restart over a new connection.";
      conversation.notice("error", toMmError(error).message, advice);
      return false;
    }
  }
}

/** The error of whatever needs the agent, which may still be starting. */
export function notConnected(starting = false): MmError {
  if (starting) {
    return new MmError("agent_died", "The agent is still starting", {
      hint: "Try again when it has started.",
    });
  }
  return new MmError("agent_died", "The agent is not connected", {
    hint: "/restart starts it again.",
  });
}
