/**
 * The sessions that an agent knows.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { asArray, asObject, asString } from "../base/guards.ts";

/** Pages of `session/list` that are read, at most. */
const MAX_PAGES = 20;

/** Bound of one page, in milliseconds. */
const PAGE_MS = 10_000;

/** A session as the agent lists it. */
export interface ListedSession {
  readonly sessionId: string;
  readonly cwd?: string;
  readonly title?: string;
  /** ISO 8601, as it came. */
  readonly updatedAt?: string;
}

/**
 * Asks the agent for its sessions, newest first; with `cwd` only those of that directory.
 *
 * @throws What the request rejects with.
 */
export async function listSessions(
  client: Client,
  cwd?: string,
): Promise<readonly ListedSession[]> {
  const found: ListedSession[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const result = asObject(
      await client.connection.request("session/list", {
        ...(cwd === undefined ? {} : { cwd }),
        ...(cursor === undefined ? {} : { cursor }),
      }, { timeoutMs: PAGE_MS }),
    );
    found.push(...asArray(result.sessions).flatMap(parseListed));
    const next = asString(result.nextCursor);
    if (next === undefined || next === "" || next === cursor) break;
    cursor = next;
  }
  return found
    .filter((session) => cwd === undefined || session.cwd === undefined || session.cwd === cwd)
    .sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""));
}

function parseListed(value: unknown): ListedSession[] {
  const raw = asObject(value);
  const sessionId = asString(raw.sessionId);
  if (sessionId === undefined || sessionId === "") return [];
  const cwd = asString(raw.cwd);
  const title = asString(raw.title);
  const updatedAt = asString(raw.updatedAt);
  return [{
    sessionId,
    ...(cwd === undefined ? {} : { cwd }),
    ...(title === undefined ? {} : { title }),
    ...(updatedAt === undefined ? {} : { updatedAt }),
  }];
}
