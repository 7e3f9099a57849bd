/**
 * Parsing of one command's arguments, and its help, by commander.
 *
 * Commander is kept from writing and exiting: what it would have done comes back as a value or an
 * error.
 *
 * @module
 */

import { Command as Commander, CommanderError, InvalidArgumentError, Option } from "commander";
import { MmError } from "../base/errors.ts";
import type { Command } from "./command.ts";
import type { FlagRow } from "./flags.ts";
import { giveValue, parseSeconds, type PlainArguments } from "./plain_arguments.ts";
import { type FlagValue, Values } from "./values.ts";

/** What became of the arguments. */
export type Parsed = PlainArguments | { readonly kind: "help"; readonly text: string };

/**
 * Parses the arguments of a command.
 *
 * @param path what was typed to reach it, e.g. `mm-repl tools`
 * @param width columns of the help
 * @throws {MmError} `usage` with the nearest known flag, where one is near
 */
export function parseArguments(
  command: Command,
  path: string,
  args: readonly string[],
  width: number,
): Parsed {
  const given = new Map<string, FlagValue>();
  let text = "";
  const commander = build(command, path, given).configureOutput({
    writeOut: (part) => text += part,
    writeErr: () => {},
    outputError: () => {},
    getOutHelpWidth: () => width,
  });
  try {
    commander.parse([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.helpDisplayed") return { kind: "help", text };
    throw usageError(error, path);
  }
  return { kind: "run", values: new Values(given), operands: commander.args };
}

function build(command: Command, path: string, given: Map<string, FlagValue>): Commander {
  const commander = new Commander(path)
    .description(command.description)
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    // A name that is no subcommand is told apart from too many arguments by the caller.
    .allowExcessArguments(command.subcommands.length > 0)
    .action(() => {});
  for (const row of command.flags) {
    commander.addOption(optionOf(row));
    commander.on(
      `option:${row.name}`,
      (value?: string) => giveValue(row, value ?? row.bare ?? "", given),
    );
  }
  for (const { name, description, optional, variadic } of command.operands) {
    const dots = variadic ? "..." : "";
    commander.argument(optional ? `[${name}${dots}]` : `<${name}${dots}>`, description);
  }
  for (const { name, summary, hidden } of command.subcommands) {
    commander.command(name, { hidden }).description(summary);
  }
  if (command.epilogue !== undefined) commander.addHelpText("after", `\n${command.epilogue()}`);
  return commander;
}

function optionOf(row: FlagRow): Option {
  const short = row.short === undefined ? "" : `-${row.short}, `;
  const value = row.value === undefined
    ? ""
    : row.bare === undefined
    ? ` <${row.value}>`
    : ` [${row.value}]`;
  const option = new Option(`${short}--${row.name}${value}`, row.description).helpGroup(
    `${row.group}:`,
  );
  if (row.choices !== undefined) option.choices(row.choices);
  if (row.seconds) option.argParser(checkSeconds);
  return option;
}

function checkSeconds(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined) {
    throw new InvalidArgumentError("It takes a number of seconds greater than 0.");
  }
  return seconds;
}

/** Commander's messages read `error: …`, with the suggestion on a line of its own. */
function usageError(error: CommanderError, path: string): MmError {
  const [first = "", ...rest] = error.message.split("\n");
  const message = first.replace(/^error: /, "").replace(/\.$/, "");
  const suggestion = /Did you mean (.+)\?/.exec(rest.join(" "))?.[1];
  const hint = suggestion === undefined ? `See \`${path} --help\`.` : `Did you mean ${suggestion}?`;
  return new MmError("usage", `Cannot read the command line: ${message}`, { hint });
}
