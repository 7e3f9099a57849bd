/** @module */

import { MmError } from "../../base/errors.ts";
import { deleteSession, supports } from "../../client/sessions.ts";
import { chooseSession, isOpen, knownSessions } from "./known_sessions.ts";
import { type Command, noCompletions } from "./command.ts";

/** Bound of the request, in milliseconds. */
const DELETE_MS = 30_000;

/** `/delete [id]`: deletes a session that the agent has kept. */
export const deleteCommand: Command = {
  name: "delete",
  args: "[id]",
  help: "Delete a session that the agent has kept, where it offers that",
  needsAgent: true,
  complete: noCompletions,
  async run(args, host) {
    const { client, active, conversations } = host;
    if (client !== undefined && !supports(client.initialized, "delete")) {
      throw new MmError("not_supported", "Cannot delete sessions: the agent does not offer it");
    }
    const known = await knownSessions(host, active.store.state.cwd);
    const sessionId = args === ""
      // The only open one has to stay.
      ? await chooseSession(
        host,
        known.filter(({ sessionId }) => conversations.length > 1 || !isOpen(host, sessionId)),
        "Which session shall be deleted?",
      )
      : args;
    if (sessionId === undefined || client === undefined) return;
    const open = conversations.find(({ store }) => store.state.sessionId === sessionId);
    if (open !== undefined && conversations.length === 1) {
      throw new MmError("usage", "Cannot delete the only open session", {
        hint: "/new opens another one first.",
      });
    }
    const listed = known.find((session) => session.sessionId === sessionId);
    const title = listed?.title ?? open?.store.state.title;
    const sure = await host.ask({
      kind: "choice",
      title: `Delete the session ${title ?? sessionId}?`,
      body: [
        `id: ${sessionId}`,
        ...(listed === undefined && open === undefined
          ? ["It is not among the sessions that are known."]
          : []),
        "This cannot be taken back.",
      ],
      options: [{ id: "yes", label: "Yes, delete it" }, { id: "no", label: "No" }],
    });
    if (sure.type !== "option" || sure.id !== "yes") return;
    if (open !== undefined) await host.closeSession(open);
    await deleteSession(client.connection, sessionId, { timeoutMs: DELETE_MS });
    await host.memory.forgetSession(sessionId);
    host.notice("info", `Session ${title ?? sessionId} is deleted`);
  },
};
