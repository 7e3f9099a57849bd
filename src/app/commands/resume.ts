/** @module */

import { type Command, noCompletions } from "./command.ts";
import { chooseSession, isOpen, knownSessions } from "./known_sessions.ts";

/** `/resume [id]`: goes on with a session that the agent has kept. */
export const resumeCommand: Command = {
  name: "resume",
  args: "[id]",
  help: "Go on with an earlier session; without an id choose one",
  needsAgent: true,
  complete: noCompletions,
  async run(args, host) {
    const { cwd } = host.active.store.state;
    const known = await knownSessions(host, cwd);
    const sessionId = args === ""
      ? await chooseSession(
        host,
        known.filter(({ sessionId }) => !isOpen(host, sessionId)),
        "Which session?",
      )
      : args;
    if (sessionId === undefined) return;
    const listed = known.find((session) => session.sessionId === sessionId);
    await host.openSession(sessionId, listed?.cwd ?? cwd, listed?.title);
  },
};
