/** @module */

import { MmError } from "../../base/errors.ts";
import type { ThoughtsDisplay } from "../options.ts";
import type { Command } from "./command.ts";

const CHOICES: readonly { readonly id: ThoughtsDisplay; readonly means: string }[] = [
  { id: "full", means: "thoughts stay in full" },
  { id: "folded", means: "thoughts become one line when they end" },
  { id: "hidden", means: "thoughts are not shown" },
];

/** `/thoughts [full|folded|hidden]`; without an argument the next one. */
export const thoughtsCommand: Command = {
  name: "thoughts",
  args: "[full|folded|hidden]",
  help: "Show thoughts in full, folded or not at all; the next one without an argument",
  complete: () => CHOICES.map(({ id, means }) => ({ insert: id, label: id, description: means })),
  run(args, host) {
    const now = CHOICES.findIndex(({ id }) => id === host.thoughts);
    const choice = args === ""
      ? CHOICES[(now + 1) % CHOICES.length]
      : CHOICES.find(({ id }) => id === args);
    if (choice === undefined) {
      throw new MmError("usage", `Cannot show thoughts ${args}: it is full, folded or hidden`);
    }
    host.thoughts = choice.id;
    host.notice("info", `From now on ${choice.means}`);
  },
};
