/** @module */

import { type Command, noCompletions } from "./command.ts";

/** `/logout`: signs out of the agent. */
export const logoutCommand: Command = {
  name: "logout",
  args: "",
  help: "Sign out of the agent, where it offers that",
  needsAgent: true,
  complete: noCompletions,
  run: (_args, host) => host.signOut(),
};
