/** @module */

import { type Command, noCompletions } from "./command.ts";

/** `/exit`: leaves. */
export const exitCommand: Command = {
  name: "exit",
  args: "",
  help: "End the agent and leave",
  atOnce: true,
  loose: true,
  complete: noCompletions,
  run: (_args, host) => host.leave(0),
};
