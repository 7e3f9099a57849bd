/** @module */

import { MmError } from "../../base/errors.ts";
import { supports } from "../../client/sessions.ts";
import { type Command, noCompletions } from "./command.ts";

/** `/fork`: a new session that goes on from where this one is. */
export const forkCommand: Command = {
  name: "fork",
  args: "",
  help: "Go on in a copy of this session (unstable in the protocol; where the agent offers it)",
  needsAgent: true,
  complete: noCompletions,
  async run(_args, host) {
    const { client, active } = host;
    if (client === undefined || active.session === undefined) {
      throw new MmError("agent_died", "Cannot fork: there is no session");
    }
    if (!supports(client.initialized, "fork")) {
      throw new MmError("not_supported", "Cannot fork: the agent does not offer it", {
        hint: "/new starts a session of its own.",
      });
    }
    const { id } = active.session;
    await host.forkSession(active);
    host.notice("info", `This session goes on from ${id}, which stays as it was: /switch shows it`);
  },
};
