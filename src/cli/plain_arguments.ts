/**
 * Arguments that are as they should be, read by the rows alone.
 *
 * Whatever is asked for or wrong (help, an unknown flag, a missing value) is left to commander, which
 * takes longer to load than all of this program up to the start of the agent.
 *
 * @module
 */

import type { Command } from "./command.ts";
import type { FlagRow } from "./flags.ts";
import { type FlagValue, Values } from "./values.ts";

/** Arguments that were read. */
export interface PlainArguments {
  readonly kind: "run";
  readonly values: Values;
  readonly operands: readonly string[];
}

/** Reads the arguments of a command; `undefined` when there is anything to be said about them. */
export function readPlainArguments(
  command: Command,
  args: readonly string[],
): PlainArguments | undefined {
  const given = new Map<string, FlagValue>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      operands.push(arg);
      continue;
    }
    const [flag, inline] = splitInline(arg);
    const row = command.flags.find(({ name, short }) =>
      flag === `--${name}` || (short !== undefined && flag === `-${short}`)
    );
    if (row === undefined || (inline !== undefined && row.value === undefined)) return undefined;
    const next = args[at + 1];
    const follows = inline === undefined && row.value !== undefined &&
      (row.bare === undefined || (next !== undefined && !next.startsWith("-")));
    const value = follows ? next : inline ?? row.bare;
    if (follows) at++;
    if (!takes(row, value)) return undefined;
    giveValue(row, value ?? "", given);
  }
  const fits = fitsOperands(command, operands.length);
  return fits ? { kind: "run", values: new Values(given), operands } : undefined;
}

/** Gives a flag its place among the values; of a flag and its `no-` form the last one counts. */
export function giveValue(row: FlagRow, value: string, given: Map<string, FlagValue>): void {
  const opposite = row.name.startsWith("no-") ? row.name.slice(3) : `no-${row.name}`;
  given.delete(opposite);
  if (row.value === undefined) {
    given.set(row.name, true);
  } else if (row.repeatable) {
    const before = given.get(row.name);
    given.set(row.name, [...typeof before === "object" ? before : [], value]);
  } else {
    given.set(row.name, row.seconds ? Number(value) : value);
  }
}

/** The number of seconds that a text says, if it is one greater than 0. */
export function parseSeconds(text: string): number | undefined {
  const seconds = Number(text);
  return text.trim() !== "" && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

function splitInline(arg: string): [flag: string, value?: string] {
  const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
  return equals < 0 ? [arg] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

/** Whether a flag takes a value; `undefined` is none. */
function takes({ value: named, choices, seconds }: FlagRow, value: string | undefined): boolean {
  if (named === undefined) return true;
  if (value === undefined) return false;
  if (seconds === true) return parseSeconds(value) !== undefined;
  return choices === undefined || choices.includes(value);
}

function fitsOperands({ operands, subcommands }: Command, count: number): boolean {
  const least = operands.filter(({ optional }) => optional !== true).length;
  if (count < least) return false;
  const open = subcommands.length > 0 || operands.at(-1)?.variadic === true;
  return open || count <= operands.length;
}
