/** @module */

import { MmError } from "../../base/errors.ts";
import { textOf } from "../../model/content.ts";
import type { Entry } from "../../model/session.ts";
import { type Command, type CommandHost, noCompletions } from "./command.ts";

/** `/copy`: the agent's last answer on the clipboard. */
export const copyCommand: Command = {
  name: "copy",
  args: "",
  help: "Copy the agent's last answer to the clipboard",
  complete: noCompletions,
  async run(_args, host) {
    const text = lastAnswer(host);
    if (text === "") throw new MmError("usage", "Cannot copy: the agent has not answered yet");
    const how = await host.copy(text);
    if (how === undefined) {
      throw new MmError("not_supported", "Cannot copy: there is no clipboard to be had", {
        hint: "/export FILE writes the whole transcript to a file.",
      });
    }
    const count = [...text].length;
    host.notice(
      "info",
      `${count} characters copied${how === "terminal" ? ", if the terminal permits it" : ""}`,
    );
  },
};

/** The messages of the newest turn that has any, as Markdown. */
function lastAnswer({ active }: CommandHost): string {
  const { entries } = active.store.state;
  let turn: Entry["turn"] | undefined;
  const messages: string[] = [];
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries.at(index);
    if (entry?.kind === "user" && messages.length > 0) break;
    if (entry?.kind !== "agent") continue;
    turn ??= entry.turn;
    if (entry.turn !== turn) break;
    messages.unshift(textOf(entry.parts).trim());
  }
  return messages.filter((message) => message !== "").join("\n\n");
}
