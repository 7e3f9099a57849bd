/** @module */

import { type Command, noCompletions } from "./command.ts";

/** `/restart`: ends the agent and starts it again with the same session. */
export const restartCommand: Command = {
  name: "restart",
  args: "",
  help: "End the agent, start it again and go on with this session where it can",
  atOnce: true,
  complete: noCompletions,
  run: (_args, host) => host.restart(),
};
