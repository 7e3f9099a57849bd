/** @module */

import { supports } from "../../client/sessions.ts";
import { MmError } from "../../base/errors.ts";
import { type ListedSession, listSessions } from "../session_list.ts";
import { type Command, type CommandHost, noCompletions } from "./command.ts";

/** Sessions to choose from, at most. */
const MAX_CHOICES = 20;

/** `/resume [id]`: goes on with a session that the agent has kept. */
export const resumeCommand: Command = {
  name: "resume",
  args: "[id]",
  help: "Go on with an earlier session; without an id choose one",
  complete: noCompletions,
  async run(args, host) {
    const { cwd } = host.active.store.state;
    const known = await knownSessions(host, cwd);
    const sessionId = args === "" ? await choose(host, known) : args;
    if (sessionId === undefined) return;
    await host.openSession(
      sessionId,
      known.find((session) => session.sessionId === sessionId)?.cwd ?? cwd,
    );
  },
};

async function knownSessions(host: CommandHost, cwd: string): Promise<readonly ListedSession[]> {
  const { client } = host;
  if (client === undefined) {
    throw new MmError("agent_died", "Cannot open a session: the agent is not connected", {
      hint: "/restart starts it again.",
    });
  }
  if (supports(client.initialized, "list")) return await listSessions(client);
  return (await host.memory.sessions(cwd)).map((sessionId) => ({ sessionId, cwd }));
}

async function choose(
  host: CommandHost,
  known: readonly ListedSession[],
): Promise<string | undefined> {
  const open = new Set(host.conversations.map(({ store }) => store.state.sessionId));
  const choices = known.filter(({ sessionId }) => !open.has(sessionId)).slice(0, MAX_CHOICES);
  if (choices.length === 0) {
    throw new MmError("session_not_found", "There is no earlier session to go on with");
  }
  const answer = await host.ask({
    kind: "choice",
    title: "Which session?",
    body: [],
    options: choices.map(({ sessionId, title, updatedAt, cwd }) => ({
      id: sessionId,
      label: title ?? sessionId,
      hint: [updatedAt, cwd].filter((part) => part !== undefined).join(" "),
    })),
  });
  return answer.type === "option" ? answer.id : undefined;
}
