/**
 * What a command of the program is: the program itself, a subcommand, or a subcommand of one.
 *
 * @module
 */

import type { FlagRow } from "./flags.ts";
import type { Values } from "./values.ts";

/** What a command is run with. */
export interface CommandInput {
  readonly values: Values;
  /** The arguments that are not flags. */
  readonly operands: readonly string[];
  /** What came after `--`, where the command takes that. */
  readonly words: readonly string[];
}

/** An argument that is not a flag. */
export interface OperandRow {
  readonly name: string;
  readonly description: string;
  readonly optional?: boolean;
  /** Takes all that are left; for the last one. */
  readonly variadic?: boolean;
}

/** A subcommand, known by name before its code is loaded. */
export interface SubcommandRow {
  readonly name: string;
  readonly summary: string;
  /** Not for people. */
  readonly hidden?: boolean;
  load(): Promise<Command>;
}

/** A command. */
export interface Command {
  readonly description: string;
  readonly flags: readonly FlagRow[];
  readonly operands: readonly OperandRow[];
  readonly subcommands: readonly SubcommandRow[];
  /** True to be given what follows `--` apart from the operands. */
  readonly takesWords?: boolean;
  /** Further text at the end of its help. */
  readonly epilogue?: () => string;
  /** Does it and gives the exit status; absent where a subcommand must be named. */
  readonly run?: (input: CommandInput) => Promise<number>;
}
