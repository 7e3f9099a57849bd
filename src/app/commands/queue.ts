/** @module */

import { MmError } from "../../base/errors.ts";
import type { Command } from "./command.ts";

const ACTIONS = [
  { insert: "send", label: "send", description: "Send what a cancel has held back" },
  { insert: "clear", label: "clear", description: "Drop all prompts that wait" },
];

/** `/queue [send|clear]`: the prompts that wait. */
export const queueCommand: Command = {
  name: "queue",
  args: "[send|clear]",
  help: "Show the prompts that wait, send what was held back, or drop them",
  atOnce: true,
  complete: () => ACTIONS,
  run(args, host) {
    const { queue } = host.active;
    switch (args) {
      case "": {
        if (queue.texts.length === 0) return host.output("No prompts wait.");
        const lines = queue.texts.map((text, index) =>
          `${index + 1}. ${text.split("\n")[0] ?? ""}`
        );
        return host.output([queue.held ? "Held back:" : "Waiting:", "", ...lines].join("\n"));
      }
      case "send":
        if (!queue.release()) host.notice("info", "No prompts are held back");
        return;
      case "clear":
        return host.notice("info", `Prompts dropped: ${queue.clear()}`);
      default:
        throw new MmError("usage", `Cannot do /queue ${args}: it is send, clear or nothing`);
    }
  },
};
