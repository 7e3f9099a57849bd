/**
 * What `/mode` and `/model` have in common: show a choice, make it, complete it.
 *
 * @module
 */

import type { Session } from "../../api/contract.ts";
import { MmError } from "../../base/errors.ts";
import type { Choice, SessionMode } from "../../model/session.ts";
import { checkChoice } from "../../api/choices.ts";
import type { Command, CommandHost } from "./command.ts";
import { markdownTable } from "../markdown.ts";

/** How one kind of choice is read and set. */
export interface ChoiceCommandOptions {
  readonly name: "mode" | "model";
  readonly help: string;
  readonly choice: (host: CommandHost) => Choice | undefined;
  readonly set: (session: Session, id: string) => Promise<void>;
}

/** A command that shows what there is, or chooses one by id or name. */
export function choiceCommand(options: ChoiceCommandOptions): Command {
  const { name, help, choice, set } = options;
  return {
    name,
    args: "[id]",
    help,
    needsAgent: true,
    complete: (host) =>
      (choice(host)?.available ?? []).map((item) => ({
        insert: item.id,
        label: item.id,
        description: describeItem(item),
      })),
    async run(args, host) {
      const current = choice(host);
      if (args === "") return host.output(list(name, current));
      const session = host.active.session;
      if (session === undefined) {
        throw new MmError("agent_died", `Cannot choose a ${name}: there is no session`);
      }
      const named = current?.available.find((item) => item.name === args)?.id;
      const id = checkChoice(name, named ?? args, current);
      await set(session, id);
      host.notice("info", `${name === "mode" ? "Mode" : "Model"}: ${id}`);
    },
  };
}

/** What can be chosen, in a few words: its name and the group that it is in. */
export function describeItem({ name, group }: Pick<SessionMode, "name" | "group">): string {
  return group === undefined ? name : `${name} · ${group}`;
}

function list(name: string, choice: Choice | undefined): string {
  if (choice === undefined || choice.available.length === 0) return `The agent offers no ${name}s.`;
  const grouped = choice.available.some(({ group }) => group !== undefined);
  return markdownTable(
    ["", name, "name", ...(grouped ? ["group"] : []), "description"],
    choice.available.map((item) => [
      item.id === choice.current ? "●" : "",
      `\`${item.id}\``,
      item.name,
      ...(grouped ? [item.group ?? ""] : []),
      item.description ?? "",
    ]),
  );
}
