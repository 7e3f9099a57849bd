/** @module */

import { MmError } from "../../base/errors.ts";
import { resolvePath } from "../../config/paths.ts";
import { type Command, noCompletions } from "./command.ts";

/** `/add-dir DIR`: one more directory for the session. */
export const addDirCommand: Command = {
  name: "add-dir",
  args: "[DIR]",
  help: "Let this session work in one more directory, where the agent offers that",
  needsAgent: true,
  complete: noCompletions,
  async run(args, host) {
    const { directories, store } = host.active;
    if (args === "") {
      const lines = [store.state.cwd, ...directories].map((directory) => `- \`${directory}\``);
      return host.output(["Directories of this session:", "", ...lines].join("\n"));
    }
    const path = resolvePath(args, store.state.cwd);
    const real = await Deno.realPath(path).catch(() => undefined);
    const info = real === undefined ? undefined : await Deno.stat(real);
    if (real === undefined || !info?.isDirectory) {
      throw new MmError("usage", `Cannot add ${path}: there is no such directory`);
    }
    await host.addDirectory(real);
    host.notice("info", `The session works in ${real}, too`);
  },
};
