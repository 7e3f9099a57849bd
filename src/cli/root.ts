/**
 * The program itself as a command.
 *
 * @module
 */

import { ERROR_TABLE } from "../base/errors.ts";
import type { Command } from "./command.ts";
import { FLAGS } from "./flags.ts";
import { SUBCOMMANDS } from "./subcommands.ts";

/** Name of the program. */
export const PROGRAM = "mm-repl";

/** `mm-repl` without a subcommand: the REPL, or one run with `-p`. */
export const rootCommand: Command = {
  description: "A terminal for coding agents that speak the Agent Client Protocol",
  flags: FLAGS,
  operands: [],
  subcommands: SUBCOMMANDS,
  takesWords: true,
  epilogue: exitStatuses,
  run: async (input) => (await import("./start.ts")).start(input),
};

/** The exit statuses, one a line, as the help ends with them. */
function exitStatuses(): string {
  const meanings = new Map<number, string[]>([[0, [
    "the turn ended, or the command did its work",
  ]]]);
  for (const { exit, meaning } of Object.values(ERROR_TABLE)) {
    meanings.set(exit, [...meanings.get(exit) ?? [], meaning]);
  }
  const lines = [...meanings].sort(([a], [b]) => a - b).flatMap(([exit, all]) =>
    all.map((meaning, index) => `  ${(index === 0 ? String(exit) : "").padEnd(4)} ${meaning}`)
  );
  return ["Exit status:", ...lines].join("\n");
}
