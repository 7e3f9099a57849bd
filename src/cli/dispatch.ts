/**
 * From arguments to the command that they name.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { nearestWord } from "../config/nearest.ts";
import { splitArguments } from "./arguments.ts";
import type { Command } from "./command.ts";
import { readPlainArguments } from "./plain_arguments.ts";
import { Values } from "./values.ts";

/** How to dispatch. */
export interface DispatchOptions {
  /** What was typed to reach the command, e.g. `mm-repl tools`. */
  readonly path: string;
  /** Columns of the help. */
  readonly width: number;
  /** Writes help to stdout. */
  readonly print: (text: string) => Promise<void>;
  /** Flags that were given before the command's name. */
  readonly inherited?: Values;
}

/**
 * Runs the command that the arguments name and gives its exit status.
 *
 * @throws {MmError} `usage`, and what the command throws
 */
export async function dispatch(
  command: Command,
  args: readonly string[],
  options: DispatchOptions,
): Promise<number> {
  const { path, width, print, inherited = new Values() } = options;
  const { own, words, subcommand } = splitArguments(command, args);
  const parsed = readPlainArguments(command, own) ??
    (await import("./parse.ts")).parseArguments(command, path, own, width);
  if (parsed.kind === "help") {
    await print(parsed.text);
    return 0;
  }
  const values = parsed.values.over(inherited);
  if (subcommand !== undefined) {
    const { row, args: rest } = subcommand;
    const next = await row.load();
    return await dispatch(next, rest, {
      ...options,
      path: `${path} ${row.name}`,
      inherited: values,
    });
  }
  refuseUnused(command, path, values);
  const [first] = parsed.operands;
  if (first !== undefined && command.operands.length === 0) {
    throw unknownCommand(command, path, first);
  }
  if (command.run === undefined) {
    const names = command.subcommands.map((one) => one.name).join(", ");
    throw usage(path, `Cannot run ${path} without saying what: ${names}`);
  }
  return await command.run({ values, operands: parsed.operands, words });
}

/** Nothing that was given before the name of a subcommand is ignored in silence. */
function refuseUnused(command: Command, path: string, values: Values): void {
  const unused = values.names().find((name) => !command.flags.some((row) => row.name === name));
  if (unused !== undefined) throw usage(path, `Cannot use --${unused} with ${path}`);
}

function unknownCommand(command: Command, path: string, name: string): MmError {
  const near = nearestWord(name, command.subcommands.map((one) => one.name));
  const hint = near === undefined
    ? `See \`${path} --help\`. A prompt is given with -p.`
    : `Did you mean ${path} ${near}?`;
  return new MmError("usage", `Cannot run ${JSON.stringify(name)}: there is no such command`, {
    hint,
  });
}

function usage(path: string, message: string): MmError {
  return new MmError("usage", message, { hint: `See \`${path} --help\`.` });
}
