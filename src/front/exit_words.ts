/**
 * How a command of the person ended, in words.
 *
 * @module
 */

import { sanitizeLine } from "../base/sanitize.ts";
import type { TerminalState } from "../model/session.ts";

/** What is said of one that ended well. */
export const DONE = "done";

/** `done`, or what went wrong: `exit status 3`, `ended by SIGTERM`; without a status `failed`. */
export function exitWords(exit: TerminalState["exit"]): string {
  if (exit === undefined || exit.exitCode === 0) return DONE;
  if (exit.signal !== null) return `ended by ${sanitizeLine(exit.signal)}`;
  return exit.exitCode === null ? "failed" : `exit status ${exit.exitCode}`;
}
