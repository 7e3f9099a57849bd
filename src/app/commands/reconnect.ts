/** @module */

import { MmError } from "../../base/errors.ts";
import type { Command } from "./command.ts";

/** `/reconnect [stop]`: tries a lost connection, or a lost session, now, or stops trying. */
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
    if (host.state.phase === "disconnected") return await host.restart();
    if (host.state.phase === "starting") {
      throw new MmError("usage", "Cannot reconnect: the agent is being connected already");
    }
    const kept = host.active.queue.texts.length > 0;
    if (!await host.reopenSession()) {
      throw new MmError("usage", "Cannot reconnect: the agent is connected", {
        hint: "/restart ends the connection and opens a new one.",
      });
    }
    const { lastOutcome } = host.state.active.state;
    host.notice(
      "info",
      "The session is open again",
      lastOutcome?.ok === false && !kept ? "/retry sends the last prompt again." : undefined,
    );
  },
};
