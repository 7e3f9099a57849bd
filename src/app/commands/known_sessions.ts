/**
 * The sessions that the agent has kept, for the commands that go on with one or delete it.
 *
 * @module
 */

import type { Client } from "../../api/contract.ts";
import { MmError } from "../../base/errors.ts";
import { supports } from "../../client/sessions.ts";
import { relativeTime } from "../relative_time.ts";
import { type ListedSession, listSessions } from "../session_list.ts";
import type { CommandHost } from "./command.ts";

/** Sessions to choose from, at most. */
const MAX_CHOICES = 20;

/** What the agent lists, which open sessions take their titles from. */
export async function listed(
  client: Client,
  { conversations }: CommandHost,
): Promise<readonly ListedSession[]> {
  const known = await listSessions(client);
  const titles = new Map(known.map(({ sessionId, title }) => [sessionId, title]));
  for (const { store } of conversations) {
    const title = titles.get(store.state.sessionId);
    if (title !== undefined) store.dispatch({ type: "title_listed", title });
  }
  return known;
}

/** What the agent lists; else what we remember of the directory. Throws `agent_died`. */
export async function knownSessions(
  host: CommandHost,
  cwd: string,
): Promise<readonly ListedSession[]> {
  const { client, memory } = host;
  if (client === undefined) {
    throw new MmError("agent_died", "Cannot look for sessions: the agent is not connected", {
      hint: "/restart starts it again.",
    });
  }
  if (supports(client.initialized, "list")) return await listed(client, host);
  return (await memory.sessions(cwd)).map((sessionId) => ({ sessionId, cwd }));
}

/** Whether a session is one of the program's own. */
export function isOpen({ conversations }: CommandHost, sessionId: string): boolean {
  return conversations.some(({ store }) => store.state.sessionId === sessionId);
}

/** Asks for one of the sessions; throws `session_not_found` when there is none. */
export async function chooseSession(
  host: CommandHost,
  known: readonly ListedSession[],
  title: string,
): Promise<string | undefined> {
  const choices = known.slice(0, MAX_CHOICES);
  if (choices.length === 0) {
    throw new MmError("session_not_found", "There is no earlier session");
  }
  const answer = await host.ask({
    kind: "choice",
    title,
    body: [],
    options: choices.map(({ sessionId, title, updatedAt, cwd }) => ({
      id: sessionId,
      label: title ?? sessionId,
      hint: [
        isOpen(host, sessionId) ? "open" : "",
        updatedAt && relativeTime(updatedAt, Date.now()),
        cwd,
      ]
        .filter((part) => part !== undefined && part !== "").join(" · "),
    })),
  });
  return answer.type === "option" ? answer.id : undefined;
}
