/** @module */

import { type Command, noCompletions } from "./command.ts";

/** `/close`: ends the active session. */
export const closeCommand: Command = {
  name: "close",
  args: "",
  help: "End this session and go to another open one",
  complete: noCompletions,
  async run(_args, host) {
    await host.closeSession(host.active);
    const { sessionId, title } = host.active.store.state;
    host.notice("info", `Session ${title ?? sessionId}`);
  },
};
