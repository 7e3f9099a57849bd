/**
 * The requests that open a session, and what is checked before.
 *
 * @module
 */

import { isAbsolute } from "node:path";
import { MmError } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import type { AgentConnection } from "../client/connection.ts";
import { forkSession, newSession, reopenSession, type SessionSetup } from "../client/sessions.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { SessionOptions } from "./contract.ts";
import { awaitQuiet } from "./replay.ts";
import type { Opening } from "./session_registry.ts";

/** The answer to `session/new`, `load`, `resume` or `fork`. */
export interface OpeningAnswer {
  readonly sessionId: string;
  readonly raw: JsonObject;
}

/** Sends the request that opens a session; a replay is complete when this resolves. */
export async function askForSession(
  connection: AgentConnection,
  opening: Opening,
  setup: SessionSetup,
  timeoutMs: number,
): Promise<OpeningAnswer> {
  const bound = { timeoutMs };
  const { how, sessionId = "", forkOf, store } = opening;
  if (forkOf !== undefined) return await forkSession(connection, forkOf, setup, bound);
  if (how === "new") return await newSession(connection, setup, bound);
  if (how === "resume") {
    return { sessionId, raw: await reopenSession(connection, how, sessionId, setup, bound) };
  }
  store.dispatch({ type: "replay_started" });
  try {
    const raw = await reopenSession(connection, how, sessionId, setup, bound);
    // Some agents send the history right after the answer.
    await awaitQuiet(opening);
    return { sessionId, raw };
  } finally {
    store.dispatch({ type: "replay_ended" });
  }
}

/** The params that all of these requests share. */
export function sessionSetup(options: SessionOptions): SessionSetup {
  const { cwd, mcpServers = [], additionalDirectories = [], meta } = options;
  return {
    cwd,
    mcpServers,
    ...(additionalDirectories.length === 0 ? {} : { additionalDirectories }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

/**
 * Throws `usage` for a relative directory and `agent_directory` for one that does not exist. That of
 * a remote agent may not exist here.
 */
export async function checkSessionDirectory(spec: AgentSpec, cwd: string): Promise<void> {
  if (!isAbsolute(cwd)) {
    throw new MmError("usage", `Cannot open a session in ${cwd}: the path is not absolute`);
  }
  if (spec.kind === "remote") return;
  const info = await Deno.stat(cwd).catch(() => undefined);
  if (info?.isDirectory === true) return;
  throw new MmError(
    "agent_directory",
    `Cannot open a session in ${cwd}: there is no such directory`,
    { phase: "session/new", hint: "Name a directory that exists." },
  );
}
