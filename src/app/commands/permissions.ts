/** @module */

import { MmError } from "../../base/errors.ts";
import type { PermissionDefault } from "../options.ts";
import type { Command } from "./command.ts";

const CHOICES: readonly { readonly id: PermissionDefault; readonly means: string }[] = [
  { id: "ask", means: "every request is asked" },
  {
    id: "reads",
    means: "reading, searching, fetching and thinking are allowed, the rest is asked",
  },
  { id: "allow", means: "everything is allowed without asking" },
  { id: "deny", means: "everything is refused without asking" },
];

/** `/permissions [ask|reads|allow|deny]`: the default answer, for this run. */
export const permissionsCommand: Command = {
  name: "permissions",
  args: "[ask|reads|allow|deny]",
  help: "Show or set how permission requests are answered, for this run",
  complete: () => CHOICES.map(({ id, means }) => ({ insert: id, label: id, description: means })),
  run(args, host) {
    if (args === "") {
      return host.output(
        CHOICES.map(({ id, means }) =>
          `- ${id === host.permissions ? "**" : ""}${id}${
            id === host.permissions ? "** (now)" : ""
          }: ${means}`
        ).join("\n"),
      );
    }
    const choice = CHOICES.find(({ id }) => id === args);
    if (choice === undefined) {
      throw new MmError(
        "usage",
        `Cannot set permissions to ${args}: it is ask, reads, allow or deny`,
      );
    }
    host.permissions = choice.id;
    host.notice(choice.id === "allow" ? "warning" : "info", `Permissions: ${choice.means}`);
  },
};
