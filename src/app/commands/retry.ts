/** @module */

import { MmError } from "../../base/errors.ts";
import { type Command, noCompletions } from "./command.ts";

/** `/retry`: sends the last prompt again. */
export const retryCommand: Command = {
  name: "retry",
  args: "",
  help: "Send the last prompt again",
  complete: noCompletions,
  async run(_args, host) {
    const { lastPrompt, attachments } = host.active;
    if (lastPrompt === undefined) {
      throw new MmError("usage", "Cannot send the last prompt again: there was none");
    }
    attachments.add(...lastPrompt.attachments);
    await host.prompt(lastPrompt.text);
  },
};
