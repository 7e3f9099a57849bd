/**
 * The sessions of one connection, kept in memory as long as the connection lives.
 *
 * @module
 */

import { RequestError, type SessionInfo, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { ClientTool } from "./client_tools.ts";
import type { Settings } from "./settings.ts";

/** One session. */
export class AgentSession {
  readonly id: string;
  cwd: string;
  settings: Settings;
  tools: readonly ClientTool[] = [];
  title?: string;
  updatedAt = new Date().toISOString();
  /** Aborts the turn that runs. */
  turn?: AbortController;
  /** What was allowed for the whole session. */
  readonly allowed = new Set<string>();
  /** Characters of all prompts and answers so far. */
  characters = 0;
  #history: SessionUpdate[] = [];
  #ids = 0;

  constructor(id: string, cwd: string, settings: Settings) {
    this.id = id;
    this.cwd = cwd;
    this.settings = settings;
  }

  /** An id that the session has not used yet. */
  nextId(prefix: string): string {
    return `${prefix}_${++this.#ids}`;
  }

  /** Keeps an update for `session/load`; the chunks of one message are kept as one. */
  record(update: SessionUpdate): void {
    const last = this.#history.at(-1);
    const joined = last && joinChunks(last, update);
    if (joined) this.#history[this.#history.length - 1] = joined;
    else this.#history.push(update);
  }

  /** Everything that was said and done, in order. */
  history(): readonly SessionUpdate[] {
    return this.#history;
  }
}

function joinChunks(last: SessionUpdate, next: SessionUpdate): SessionUpdate | undefined {
  if (
    last.sessionUpdate !== "agent_message_chunk" && last.sessionUpdate !== "agent_thought_chunk"
  ) {
    return undefined;
  }
  if (next.sessionUpdate !== last.sessionUpdate || next.messageId !== last.messageId) {
    return undefined;
  }
  if (last.content.type !== "text" || next.content.type !== "text") return undefined;
  return { ...last, content: { type: "text", text: last.content.text + next.content.text } };
}

/** All sessions by id. */
export class AgentSessions {
  readonly #sessions = new Map<string, AgentSession>();
  readonly #active = new Set<string>();

  /** Opens a new session. */
  create(cwd: string, settings: Settings): AgentSession {
    const session = new AgentSession(newSessionId(new Date()), cwd, settings);
    this.#sessions.set(session.id, session);
    this.#active.add(session.id);
    return session;
  }

  /** Opens a known session again, in the directory that the client names now. */
  reopen(id: string, cwd: string): AgentSession {
    const session = this.#sessions.get(id);
    if (!session) throw RequestError.sessionNotFound(id);
    this.#active.add(id);
    session.cwd = cwd;
    return session;
  }

  /** An open session, if it is one. */
  find(id: string): AgentSession | undefined {
    return this.#active.has(id) ? this.#sessions.get(id) : undefined;
  }

  /** An open session; anything else is a JSON-RPC error -32002. */
  get(id: string): AgentSession {
    const session = this.find(id);
    if (!session) throw RequestError.sessionNotFound(id);
    return session;
  }

  /** Ends a session's turn and closes it; it can be loaded or resumed later. */
  close(id: string): void {
    this.get(id).turn?.abort();
    this.#active.delete(id);
  }

  /** Every session, the one used last first; of one directory when it is given. */
  list(cwd?: string | null): SessionInfo[] {
    return [...this.#sessions.values()]
      .filter((session) => !cwd || session.cwd === cwd)
      .map(({ id, cwd, title, updatedAt }) => ({ sessionId: id, cwd, title, updatedAt }))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  }
}

/** An id of mini-me's form: local date, time and eight hexadecimal digits. */
function newSessionId(now: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
  const time = `${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return `${date}-${time}-${random.toString(16).padStart(8, "0")}`;
}
