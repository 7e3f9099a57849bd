/**
 * The sessions of one client, those that are just being opened included.
 *
 * @module
 */

import type { NewSessionEvent, SessionStore } from "../model/session_store.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import { type HistoryPart, historyPart } from "./replay.ts";

/** What requests of the agent need to know about a session. */
export interface KnownSession {
  /** Absolute. */
  readonly cwd: string;
  /** Directories that files may be in, absolute. */
  readonly roots: readonly string[];
  readonly store: SessionStore;
  readonly toolbox: Toolbox | undefined;
  /** Takes what happens to it; absent: its store does. */
  receive?(event: NewSessionEvent): void;
}

/** A session whose `session/new`, `load` or `resume` has not been answered yet. */
export interface Opening extends KnownSession {
  readonly how: "new" | "load" | "resume";
  /** The session that a new one goes on from. */
  readonly forkOf?: string;
  /** Known from the start for `load` and `resume`, for `new` once the agent has named it. */
  sessionId?: string;
  toolbox: Toolbox | undefined;
  /** True once the agent has asked for the tools of this session. */
  listed: boolean;
  /** Number of updates that came for it. */
  updates: number;
  /** Whether something had been said in its store before. */
  readonly known: boolean;
  /** What has come of its history. */
  history: HistoryPart;
}

/** Most events that are held for a session that is not open yet. */
const MAX_HELD = 1_000;

/** Most sessions for which events are held. */
const MAX_HELD_SESSIONS = 16;

/** Finds sessions by id, and keeps what comes for one before its id is known. */
export class SessionRegistry<S extends KnownSession> {
  /** Open sessions by id. */
  readonly sessions = new Map<string, S>();
  readonly #openings = new Set<Opening>();
  readonly #held = new Map<string, NewSessionEvent[]>();

  /** The session, open or being opened; `undefined` when it is not ours. */
  find(sessionId: string): KnownSession | undefined {
    return this.#opening(sessionId) ?? this.sessions.get(sessionId);
  }

  /** All sessions, open or being opened. */
  all(): KnownSession[] {
    return [...this.#openings, ...this.sessions.values()];
  }

  /** Takes a session that is about to be opened. */
  begin(opening: Opening): void {
    this.#openings.add(opening);
  }

  /** Ends the opening of a session, whether it succeeded or not. */
  end(opening: Opening): void {
    this.#openings.delete(opening);
    if (![...this.#openings].some(({ how }) => how === "new")) this.#held.clear();
  }

  /** The opening that a request for the tools of a directory belongs to. */
  openingIn(cwd: string, sessionId: string): Opening | undefined {
    const here = [...this.#openings].filter((opening) => opening.cwd === cwd);
    return here.find((opening) => opening.sessionId === sessionId) ??
      here.find((opening) => opening.sessionId === undefined);
  }

  /**
   * Gives an event to its session. What comes while a new session is being opened is held, bounded,
   * until {@link release}; what belongs to nobody is dropped.
   */
  receive(sessionId: string, event: NewSessionEvent): void {
    const opening = [...this.#openings].find((o) => o.how !== "new" && o.sessionId === sessionId);
    if (opening !== undefined && event.type === "update_received") {
      opening.updates++;
      opening.history = historyPart(opening.history, event.update);
    }
    const known = opening ?? this.sessions.get(sessionId);
    if (known === undefined) this.#hold(sessionId, event);
    else if (known.receive !== undefined) known.receive(event);
    else known.store.dispatch(event);
  }

  /** Registers an open session and applies what was held for it. */
  register(sessionId: string, session: S): void {
    this.sessions.set(sessionId, session);
    const held = this.#held.get(sessionId) ?? [];
    this.#held.delete(sessionId);
    for (const event of held) session.store.dispatch(event);
  }

  /** The opening with this id; a new session without one yet claims the first id that asks. */
  #opening(sessionId: string): Opening | undefined {
    for (const opening of this.#openings) if (opening.sessionId === sessionId) return opening;
    if (this.sessions.has(sessionId)) return undefined;
    const unnamed = [...this.#openings].filter((opening) => opening.sessionId === undefined);
    return unnamed.length === 1 ? unnamed[0] : undefined;
  }

  #hold(sessionId: string, event: NewSessionEvent): void {
    if (![...this.#openings].some(({ how }) => how === "new")) return;
    const held = this.#held.get(sessionId) ?? [];
    if (held.length === 0 && this.#held.size >= MAX_HELD_SESSIONS) return;
    if (held.length < MAX_HELD) held.push(event);
    this.#held.set(sessionId, held);
  }
}
