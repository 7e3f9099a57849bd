/**
 * `mm-repl completions`: scripts that let a shell complete our command line.
 *
 * @module
 */

import { MmError } from "../../base/errors.ts";
import { nearestWord } from "../../config/nearest.ts";
import type { Command } from "../command.ts";
import { COMPLETION_SHELLS, type CompletionNode, loadCompletionTree } from "../completion.ts";
import { printOut } from "../output.ts";
import { PROGRAM, rootCommand } from "../root.ts";

/** `mm-repl completions SHELL`. */
export const completionsCommand: Command = {
  description: "Print a completion script for a shell",
  flags: [],
  operands: [{ name: "shell", description: Object.keys(COMPLETION_SHELLS).join(", ") }],
  subcommands: [],
  epilogue: () => Object.values(COMPLETION_SHELLS).map((shell) => `${shell.install}`).join("\n"),
  async run({ operands: [name = ""] }) {
    const tree = await loadCompletionTree(PROGRAM, rootCommand);
    await printOut(render(name, tree));
    return 0;
  },
};

function render(name: string, tree: CompletionNode): string {
  const shells = Object.keys(COMPLETION_SHELLS);
  const shell = Object.hasOwn(COMPLETION_SHELLS, name) ? COMPLETION_SHELLS[name] : undefined;
  if (shell !== undefined) return shell.render(tree);
  const near = nearestWord(name, shells);
  throw new MmError("usage", `Cannot complete for the shell ${JSON.stringify(name)}`, {
    hint: near === undefined ? `Known shells: ${shells.join(", ")}.` : `Did you mean ${near}?`,
  });
}
