/** @module */

import { sessionName } from "../session_name.ts";
import { type Command, noCompletions } from "./command.ts";

/** `/close`: ends the active session. */
export const closeCommand: Command = {
  name: "close",
  args: "",
  help: "End this session and go to another open one",
  complete: noCompletions,
  async run(_args, host) {
    const closed = host.active;
    await host.closeSession(closed);
    const { state } = host.active.store;
    const gone = sessionName(closed.store.state);
    host.notice("info", `Session ${gone} is closed; this is ${sessionName(state)} in ${state.cwd}`);
  },
};
