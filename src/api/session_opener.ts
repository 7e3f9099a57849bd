/**
 * Opens the sessions of one client, one request for each.
 *
 * @module
 */

import type { AgentConnection } from "../client/connection.ts";
import type { Terminals } from "../client/terminals.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import { SessionStore } from "../model/session_store.ts";
import type { Session, SessionOptions } from "./contract.ts";
import { LateHistory } from "./late_history.ts";
import type { Link } from "./link.ts";
import { LostAfterAnswer, openingError } from "./opening_error.ts";
import type { PermissionDesk } from "./permission_desk.ts";
import { AgentSession } from "./session.ts";
import {
  askForSession,
  checkSessionDirectory,
  type OpeningAnswer,
  sessionSetup,
} from "./session_opening.ts";
import type { Opening, SessionRegistry } from "./session_registry.ts";
import type { ToolSupply } from "./tool_supply.ts";

/** What sessions are opened with. */
export interface SessionOpenerOptions {
  readonly spec: AgentSpec;
  /** Bound of each request, in milliseconds. */
  readonly timeoutMs: number;
  readonly registry: SessionRegistry<AgentSession>;
  readonly tools: ToolSupply;
  readonly desk: PermissionDesk;
  readonly terminals: Terminals;
  /** The way to the agent; it may be another one after {@link startedAgain}. */
  readonly connection: () => AgentConnection;
  /** The same; `undefined` after the agent could not be started again. */
  readonly link: () => Link | undefined;
  /** Whether the agent has ended, or can no longer be reached. */
  readonly isLost: () => boolean;
  /** Starts the agent again where it turns out to take tools in another way; says whether it has. */
  readonly startedAgain: (opening: Opening) => Promise<boolean>;
}

/** Which session is opened, and how. */
export interface OpeningKind {
  readonly how: Opening["how"];
  /** The session to load or resume. */
  readonly sessionId?: string;
  /** The session that a new one goes on from. */
  readonly forkOf?: string;
}

/** Opens sessions and registers them. */
export class SessionOpener {
  readonly #options: SessionOpenerOptions;

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
  }

  /** Opens one; rejects with an `MmError` that says why it cannot be. */
  async open(kind: OpeningKind, options: SessionOptions): Promise<Session> {
    const { spec, registry, tools, timeoutMs } = this.#options;
    await checkSessionDirectory(spec, options.cwd);
    const opening = await this.#begin(kind, options);
    const link = this.#options.link();
    // What an agent says when it starts may be why it opens no session, but not why no further one.
    const isFirst = registry.sessions.size === 0;
    const stderr = isFirst ? undefined : link?.connection.transport.watchStderr();
    try {
      return this.#admit(opening, await this.#ask(opening, options));
    } catch (error) {
      if (!tools.isShared(opening.toolbox)) await opening.toolbox?.close();
      const now = this.#options.link();
      if (now === undefined) throw error;
      const watched = now === link ? stderr : undefined;
      throw await openingError(error, opening, {
        spec,
        connection: now.connection,
        timeoutMs,
        stderr: watched === undefined ? now.connection.transport.stderr() : watched(),
      });
    } finally {
      registry.end(opening);
    }
  }

  async #begin(kind: OpeningKind, options: SessionOptions): Promise<Opening> {
    const { cwd, additionalDirectories = [], store = new SessionStore(cwd) } = options;
    const { tools, registry, link } = this.#options;
    const opening: Opening = {
      ...kind,
      cwd,
      roots: [cwd, ...additionalDirectories],
      store,
      toolbox: await tools.open(cwd, link()?.mode ?? "request", store),
      listed: false,
      updates: 0,
      history: "nothing",
      known: store.state.open.prompt !== undefined,
    };
    registry.begin(opening);
    return opening;
  }

  async #ask(opening: Opening, options: SessionOptions): Promise<OpeningAnswer> {
    const { connection, timeoutMs, startedAgain, isLost } = this.#options;
    const setup = sessionSetup(options);
    const ask = () => askForSession(connection(), opening, setup, timeoutMs);
    const answer = await ask();
    const last = await startedAgain(opening) ? await ask() : answer;
    // It may have ended after its answer, while it was waited for what it says about tools.
    if (isLost()) throw new LostAfterAnswer("The agent ended while a session was opened");
    return last;
  }

  #admit(opening: Opening, { sessionId, raw }: OpeningAnswer): Session {
    const { how, cwd, roots, store, toolbox, forkOf, known } = opening;
    const { registry, tools, desk, terminals, connection, timeoutMs } = this.#options;
    const session = new AgentSession({
      id: sessionId,
      cwd,
      roots,
      store,
      toolbox,
      late: how === "load" || forkOf !== undefined ? new LateHistory(store, known) : undefined,
      ownsToolbox: !tools.isShared(toolbox),
      connection: connection(),
      desk,
      terminals,
      timeoutMs,
      onClose: (closing) => {
        if (registry.sessions.get(sessionId) === closing) registry.sessions.delete(sessionId);
      },
    });
    const before = registry.sessions.get(sessionId);
    store.dispatch({ type: "session_opened", sessionId, cwd, how, response: raw });
    // What has come for a session that goes on from another one is what was said there.
    if (forkOf !== undefined) store.dispatch({ type: "replay_started" });
    registry.register(sessionId, session);
    if (forkOf !== undefined) store.dispatch({ type: "replay_ended" });
    void before?.supersede();
    return session;
  }
}
