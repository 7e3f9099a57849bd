/** @module */

import { MmError } from "../../base/errors.ts";
import { resolve } from "node:path";
import { type Command, noCompletions } from "./command.ts";

/** `/new [dir]`: a new session, in another directory if one is named. */
export const newCommand: Command = {
  name: "new",
  args: "[dir]",
  help: "Start a new session, here or in another directory",
  complete: noCompletions,
  async run(args, host) {
    const current = host.active.store.state.cwd;
    const cwd = args === "" ? current : resolve(current, args);
    const info = await Deno.stat(cwd).catch(() => undefined);
    if (!info?.isDirectory) {
      throw new MmError("usage", `Cannot start a session in ${cwd}: there is no such directory`);
    }
    await host.newSession(cwd);
    host.notice("info", `New session in ${cwd}`);
  },
};
