/**
 * A program that gets the person's own terminal for a while.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { ProcessTree } from "./process_tree.ts";
import { superviseTree } from "./supervised.ts";

/** What to run. */
export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Added to the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * With job control the program is the terminal's foreground job: Ctrl-C and Ctrl-Z reach it and not
 * us. The shell stays its parent, and gives the terminal back when it has ended, whatever ended it,
 * on a line of its own: what the program wrote last is not to be written over.
 */
const SCRIPT = 'trap : INT; "$0" "$@"; status=$?; echo; exit $status';

/**
 * Runs a program on the terminal of this process and waits for its end; whoever reads the terminal
 * must have let go of it. Gives the exit status, 128 and more for a signal.
 *
 * @throws {MmError} `internal` when no shell can be started.
 */
export async function runInTerminal(
  { command, args, cwd, env }: TerminalCommand,
): Promise<number> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("sh", {
      args: ["-m", "-c", SCRIPT, command, ...args],
      cwd,
      env: { ...env },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  } catch (error) {
    const what = `Cannot run ${command} in the terminal: ${messageOf(error)}`;
    throw new MmError("internal", what, { cause: error });
  }
  using _supervised = superviseTree(new ProcessTree(child.pid));
  return (await child.status).code;
}
