/** @module */

import { runToolHost } from "../../toolbox/host.ts";
import type { Command } from "../command.ts";

/** The process of a tool script in a compiled program, which can only start itself. */
export const toolHostCommand: Command = {
  description: "Serve one tool script on stdin and stdout; started by the program itself",
  flags: [],
  operands: [],
  subcommands: [],
  async run() {
    await runToolHost();
    return 0;
  },
};
