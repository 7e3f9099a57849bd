/**
 * The first look at the arguments: where a subcommand begins, and what is never a flag.
 *
 * @module
 */

import type { Command, SubcommandRow } from "./command.ts";
import type { FlagRow } from "./flags.ts";

/** Arguments, taken apart. */
export interface SplitArguments {
  /** Those of the command itself. */
  readonly own: readonly string[];
  /** What came after `--`. */
  readonly words: readonly string[];
  /** The subcommand, and the arguments after its name. */
  readonly subcommand?: { readonly row: SubcommandRow; readonly args: readonly string[] };
}

/**
 * Parts a command's arguments. The argument after a flag that takes a value is that value, whatever
 * it looks like; a `--` between a prompt flag and its text is dropped.
 */
export function splitArguments(command: Command, args: readonly string[]): SplitArguments {
  const own: string[] = [];
  let sawOperand = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" && command.takesWords) return { own, words: args.slice(at + 1) };
    if (arg === "--") return { own: [...own, ...args.slice(at)], words: [] };
    own.push(arg);
    if (!arg.startsWith("-") || arg === "-") {
      const row = sawOperand ? undefined : command.subcommands.find((one) => one.name === arg);
      sawOperand = true;
      if (row === undefined) continue;
      return { own: own.slice(0, -1), words: [], subcommand: { row, args: args.slice(at + 1) } };
    }
    const flag = command.flags.find((row) => arg === `--${row.name}` || arg === `-${row.short}`);
    if (flag?.value === undefined || flag.bare !== undefined) continue;
    if (isPrompt(flag) && args[at + 1] === "--") at++;
    const value = args[at + 1];
    if (value === undefined) continue;
    own.push(value);
    at++;
  }
  return { own, words: [] };
}

function isPrompt(flag: FlagRow): boolean {
  return flag.name === "prompt";
}
