/** @module */

import { MmError } from "../../base/errors.ts";
import type { Command } from "./command.ts";

/** `/reconnect [stop]`: tries a lost connection now, or stops trying. */
export const reconnectCommand: Command = {
  name: "reconnect",
  args: "[stop]",
  help: "Try to reach a lost agent now, or stop trying",
  atOnce: true,
  complete: () => [{ insert: "stop", label: "stop", description: "No further tries" }],
  async run(args, host) {
    if (args === "stop") {
      const stopped = host.stopReconnecting();
      host.notice(
        "info",
        stopped ? "No further tries: Enter or /reconnect connects" : "Nothing is being tried",
      );
      return;
    }
    if (args !== "") throw new MmError("usage", `Cannot reconnect ${args}: it takes stop alone`);
    if (host.state.phase !== "disconnected") {
      throw new MmError("usage", "Cannot reconnect: the agent is connected", {
        hint: "/restart ends the connection and opens a new one.",
      });
    }
    await host.restart();
  },
};
