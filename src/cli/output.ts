/**
 * What the command line itself writes; while a front end runs, the terminal is the front end's.
 *
 * @module
 */

import { toMmError } from "../base/errors.ts";
import { outputFailure } from "../base/output_failure.ts";
import { sanitizeText } from "../base/sanitize.ts";

const encoder = new TextEncoder();

/**
 * Writes text of our own to stdout, as it is.
 *
 * @throws {MmError} `output_closed` when the reader has gone away, `output_failed`.
 */
export async function printOut(text: string): Promise<void> {
  let rest = encoder.encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(await Deno.stdout.write(rest));
  } catch (error) {
    throw outputFailure(error);
  }
}

/** Writes text from outside to stdout: sanitised for a terminal, as it is for a pipe. Throws as above. */
export async function printForeign(text: string): Promise<void> {
  await printOut(Deno.stdout.isTerminal() ? sanitizeText(text) : text);
}

/** Writes a line to stderr, sanitised. Never throws. */
export function printErr(line: string): void {
  let rest = encoder.encode(`${sanitizeText(line)}\n`);
  try {
    while (rest.length > 0) rest = rest.subarray(Deno.stderr.writeSync(rest));
  } catch {
    // Nobody reads it.
  }
}

const atEnd: string[] = [];

/** Keeps a line for {@link printKept}: a front end has the terminal. */
export function printAtEnd(line: string): void {
  atEnd.push(line);
}

/** Writes the lines that were kept to stderr. To be called when no front end has the terminal. */
export function printKept(): void {
  atEnd.splice(0).forEach(printErr);
}

/** Columns of stdout, 80 where it is no terminal. */
export function outputWidth(): number {
  try {
    return Math.max(40, Deno.stdout.isTerminal() ? Deno.consoleSize().columns : 80);
  } catch {
    return 80;
  }
}

/** An error for people: what failed, what the agent said last, what to do. Unsanitised. */
function errorLines(error: unknown): string[] {
  const { message, hint, stderr, code, cause } = toMmError(error);
  const stack = code === "internal" && cause instanceof Error ? cause.stack : undefined;
  const tail = stderr?.trimEnd().split("\n").slice(-10).map((line) => `  ${line}`) ?? [];
  return [
    `mm-repl: ${message}`,
    ...(stack === undefined ? [] : [stack]),
    ...(tail.some((line) => line.trim() !== "") ? ["The agent's last lines:", ...tail] : []),
    ...(hint === undefined ? [] : [hint]),
  ];
}

/** Writes an error to stderr and gives the exit status that it leads to. */
export function reportError(error: unknown): number {
  const { code, exit } = toMmError(error);
  if (code !== "output_closed") errorLines(error).forEach(printErr);
  return exit;
}
