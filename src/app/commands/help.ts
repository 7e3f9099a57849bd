/** @module */

import { type Command, type CommandHost, noCompletions } from "./command.ts";
import { markdownTable } from "../markdown.ts";

/** The `/help` command. The table of commands is handed in, because it contains this one. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: "help",
    args: "",
    help: "Show this list",
    atOnce: true,
    loose: true,
    complete: noCompletions,
    run: (_args, host) => host.output(helpText(commands(), host)),
  };
}

function helpText(commands: readonly Command[], host: CommandHost): string {
  const own = commands.map((command) => [usage(command.name, command.args), command.help]);
  const names = new Set(commands.map((command) => command.name));
  const agent = host.active.store.state.commands.map((command) => [
    // Ours win, so a command of the same name is reached with a second slash.
    usage(names.has(command.name) ? `/${command.name}` : command.name, command.hint ?? ""),
    command.description,
  ]);
  return [
    markdownTable(["command", "what it does"], own),
    ...(agent.length === 0 ? [] : [markdownTable(["of the agent", "what it does"], agent)]),
    [
      "- Anything else is sent to the agent; while it works, prompts wait in line.",
      '- `@path` sends a file along, `@"with spaces"` too; `\\@` is a plain at sign.',
      "- A space before a slash sends the line as text; a path such as `/tmp/x` is text anyway.",
      "- `//name` reaches a command of the agent that has the name of one of ours.",
      "- Enter on an empty line sends prompts that a cancel has held back, or starts a lost agent again.",
    ].join("\n"),
  ].join("\n\n");
}

function usage(name: string, args: string): string {
  return `\`/${name}${args === "" ? "" : ` ${args}`}\``;
}
