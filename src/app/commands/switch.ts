/** @module */

import { MmError } from "../../base/errors.ts";
import type { Conversation } from "../conversation.ts";
import type { Command, CommandHost } from "./command.ts";

/** `/switch [N|ID]`: another open session becomes the one that input goes to. */
export const switchCommand: Command = {
  name: "switch",
  args: "[number|id]",
  help: "Go to another open session; the next one without an argument",
  complete: (host) =>
    host.conversations.map((conversation, index) => ({
      insert: `${index + 1}`,
      label: `${index + 1} ${conversation.store.state.title ?? conversation.store.state.sessionId}`,
      description: conversation.store.state.cwd,
    })),
  async run(args, host) {
    await host.switchTo(find(host, args));
    const { sessionId, title, cwd } = host.active.store.state;
    host.notice("info", `Session ${title ?? sessionId} in ${cwd}`);
  },
};

function find(host: CommandHost, args: string): Conversation {
  const all = host.conversations;
  const next = all[(all.indexOf(host.active) + 1) % all.length];
  const found = args === ""
    ? next
    : all.find(({ store }) => store.state.sessionId === args) ?? all[Number(args) - 1];
  if (found === undefined || (args === "" && all.length === 1)) {
    throw new MmError(
      "usage",
      args === "" ? "There is no other open session" : `There is no open session ${args}`,
      { hint: "/sessions lists them." },
    );
  }
  return found;
}
