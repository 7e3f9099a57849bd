/**
 * Opening sessions: the first one, one of an earlier run, and one whose agent was lost.
 *
 * @module
 */

import type { Client, Session, SessionOptions } from "../api/contract.ts";
import { messageOf, MmError } from "../base/errors.ts";
import { supports } from "../client/sessions.ts";
import type { AgentMemory } from "./memory.ts";
import type { AppOptions } from "./options.ts";
import type { SessionStore } from "../model/session_store.ts";

/** Sessions of which we have only the ids that are tried, at most. */
const MAX_TRIES = 5;

/** What opening the first session needs. */
export interface FirstSessionOptions {
  readonly client: Client;
  readonly app: AppOptions;
  readonly memory: AgentMemory;
  readonly session: SessionOptions;
  readonly notice: (text: string) => void;
}

/**
 * Opens the session that the program was started with.
 *
 * @throws {MmError} `session_not_found`, `not_supported`, or what the library throws.
 */
export async function openFirst(options: FirstSessionOptions): Promise<Session> {
  const { client, app, session } = options;
  switch (app.open.how) {
    case "new":
      return await client.newSession(session);
    case "resume":
      return await attach(client, app.open.sessionId, session, app.interactive);
    case "continue": {
      const opened = await continueNewest(options);
      if (opened !== undefined) return opened;
      if (!app.interactive) {
        throw new MmError("session_not_found", `There is no earlier session in ${app.cwd}`, {
          hint: "Leave --continue out to start one.",
        });
      }
      options.notice(`There is no earlier session in ${app.cwd}: this is a new one`);
      return await client.newSession(session);
    }
  }
}

/** Gives a session the title that it is listed with. */
export function withTitle(session: Session, title: string | undefined): Session {
  if (title !== undefined) session.store.dispatch({ type: "title_listed", title });
  return session;
}

/** Opens the newest session of the directory; `undefined` when there is none. */
async function continueNewest(options: FirstSessionOptions): Promise<Session | undefined> {
  const { client, app, memory, session } = options;
  if (supports(client.initialized, "list")) {
    const { listSessions } = await import("./session_list.ts");
    const newest = (await listSessions(client, app.cwd))[0];
    if (newest === undefined) return undefined;
    const opened = await attach(client, newest.sessionId, session, app.interactive);
    return withTitle(opened, newest.title);
  }
  // What is remembered here may be gone there.
  for (const sessionId of (await memory.sessions(app.cwd)).slice(0, MAX_TRIES)) {
    try {
      return await attach(client, sessionId, session, app.interactive);
    } catch (error) {
      if (!(error instanceof MmError) || error.code !== "session_not_found") throw error;
      void memory.forgetSession(sessionId);
    }
  }
  return undefined;
}

/**
 * Opens a session that the agent has: with its transcript (`session/load`) where that is wanted and
 * offered, else without (`session/resume`).
 *
 * @throws {MmError} `not_supported` when the agent can do neither; else what the library throws.
 */
export function attach(
  client: Client,
  sessionId: string,
  session: SessionOptions,
  withTranscript: boolean,
): Promise<Session> {
  const load = supports(client.initialized, "load");
  const resume = supports(client.initialized, "resume");
  if (load && (withTranscript || !resume)) return client.loadSession(sessionId, session);
  if (resume) return client.resumeSession(sessionId, session);
  throw new MmError("not_supported", `Cannot open session ${sessionId}: the agent offers no way`, {
    hint: "Start a new session instead.",
  });
}

/** Whether the agent can go on with a session that it had before. */
export function canReopen({ initialized }: Client): boolean {
  return supports(initialized, "load") || supports(initialized, "resume");
}

/** Whether an error, or the one that caused it, says that the agent has no such session. */
export function isUnknown(error: unknown): boolean {
  if (!(error instanceof MmError) || error.code !== "session_not_found") return false;
  return error.rpc !== undefined || isUnknown(error.cause);
}

/** What opening a session again needs. */
export interface ReopenOptions {
  readonly client: Client;
  readonly store: SessionStore;
  readonly session: SessionOptions;
  readonly notice: (text: string) => void;
}

/**
 * Opens a session again whose transcript is already here. An agent that cannot do that gets a new
 * session in its place, and the person is told.
 *
 * @throws What the library throws; the session that was there is then not replaced by an empty one.
 */
export async function reopen(options: ReopenOptions): Promise<Session> {
  const { client, store } = options;
  const session = { ...options.session, store };
  const sessionId = store.state.sessionId;
  if (sessionId === "" || !canReopen(client)) {
    const opened = await client.newSession(session);
    if (sessionId !== "") {
      options.notice(
        "The agent cannot resume sessions: this is a new one, and the agent knows nothing of what is above",
      );
    }
    return opened;
  }
  try {
    return await attach(client, sessionId, session, false);
  } catch (error) {
    // Whoever signs in may go on.
    if (error instanceof MmError && error.code === "auth") throw error;
    throw new MmError(
      "session_not_found",
      `Cannot go on with session ${sessionId}: ${
        isUnknown(error) ? "the agent does not know it any more" : messageOf(error)
      }`,
      {
        hint: "/new starts a new session, /sessions lists the others; " +
          "what is above stays on the screen.",
        cause: error,
      },
    );
  }
}
