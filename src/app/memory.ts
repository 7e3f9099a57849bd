/**
 * What is remembered of an agent between runs: how it takes client tools, and its sessions.
 *
 * @module
 */

import { asArray, asString, isObject } from "../base/guards.ts";
import { readState, updateState } from "../config/state_file.ts";
import { join } from "node:path";

/** Sessions that are remembered, over all agents. */
const MAX_SESSIONS = 200;

/** A session that was opened in an earlier run. */
export interface RememberedSession {
  readonly agent: string;
  readonly cwd: string;
  readonly sessionId: string;
}

interface Remembered {
  /** Discovery modes by agent. */
  readonly discovery: Readonly<Record<string, "request" | "meta">>;
  /** Oldest first. */
  readonly sessions: readonly RememberedSession[];
}

const NOTHING: Remembered = { discovery: {}, sessions: [] };

/** The memory of one agent, in a private file below the state directory. */
export class AgentMemory {
  readonly #path: string;
  readonly #agent: string;
  #writing: Promise<unknown> = Promise.resolve();

  /** `agent` names the agent: its command line or URL. */
  constructor(stateDir: string, agent: string) {
    this.#path = join(stateDir, "agents.json");
    this.#agent = agent;
  }

  /** The mode of offering tools that worked last. Never rejects. */
  async discovery(): Promise<"request" | "meta" | undefined> {
    return (await this.#load()).discovery[this.#agent];
  }

  /** Ids of earlier sessions in a directory, newest first. Never rejects. */
  async sessions(cwd: string): Promise<readonly string[]> {
    const { sessions } = await this.#load();
    return sessions
      .filter((session) => session.agent === this.#agent && session.cwd === cwd)
      .map((session) => session.sessionId)
      .reverse();
  }

  /** Remembers the mode of offering tools. Never rejects. */
  rememberDiscovery(mode: "request" | "meta"): Promise<void> {
    return this.#change((old) =>
      old.discovery[this.#agent] === mode
        ? old
        : { ...old, discovery: { ...old.discovery, [this.#agent]: mode } }
    );
  }

  /** Remembers a session as the newest one. Never rejects. */
  rememberSession(sessionId: string, cwd: string): Promise<void> {
    const session = { agent: this.#agent, cwd, sessionId };
    return this.#change((old) => {
      const others = old.sessions.filter((other) =>
        other.sessionId !== sessionId || other.agent !== this.#agent
      );
      return { ...old, sessions: [...others, session].slice(-MAX_SESSIONS) };
    });
  }

  /** Forgets a session. Never rejects. */
  forgetSession(sessionId: string): Promise<void> {
    return this.#change((old) => ({
      ...old,
      sessions: old.sessions.filter((other) =>
        other.sessionId !== sessionId || other.agent !== this.#agent
      ),
    }));
  }

  /** Settles when everything so far is written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #load(): Promise<Remembered> {
    try {
      return await readState(this.#path, parseRemembered, NOTHING);
    } catch {
      return NOTHING;
    }
  }

  #change(change: (old: Remembered) => Remembered): Promise<void> {
    const written = this.#writing
      .then(() => updateState(this.#path, parseRemembered, NOTHING, change))
      // A memory that cannot be kept must not stop the work.
      .then(() => {}, () => {});
    this.#writing = written;
    return written;
  }
}

function parseRemembered(value: unknown): Remembered | undefined {
  if (!isObject(value) || !isObject(value.discovery)) return undefined;
  const discovery: Record<string, "request" | "meta"> = {};
  for (const [agent, mode] of Object.entries(value.discovery)) {
    if (mode === "request" || mode === "meta") discovery[agent] = mode;
  }
  const sessions = asArray(value.sessions).flatMap((item) => {
    const { agent, cwd, sessionId } = isObject(item) ? item : {};
    const session = { agent: asString(agent), cwd: asString(cwd), sessionId: asString(sessionId) };
    return isComplete(session) ? [session] : [];
  });
  return { discovery, sessions };
}

function isComplete(
  session: { readonly [key in keyof RememberedSession]: string | undefined },
): session is RememberedSession {
  return session.agent !== undefined && session.cwd !== undefined &&
    session.sessionId !== undefined;
}
