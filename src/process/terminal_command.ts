/**
 * A program that gets the person's own terminal for a while.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { ProcessTree } from "./process_tree.ts";

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
 * us. The shell stays its parent, and gives the terminal back when it has ended, whatever ended it.
 */
const SCRIPT = 'trap : INT; "$0" "$@"; exit $?';

/**
 * Runs a program on the terminal of this process and waits for its end; whoever reads the terminal
 * must have let go of it. Gives the exit status, 128 and more for a signal.
 *
 * @param signal Aborting it ends the program.
 * @throws {MmError} `internal` when no shell can be started.
 */
export async function runInTerminal(
  { command, args, cwd, env }: TerminalCommand,
  signal?: AbortSignal,
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
    throw new MmError("internal", `Cannot run ${command} in the terminal`, { cause: error });
  }
  const tree = new ProcessTree(child.pid);
  const end = () => void tree.signal("SIGKILL");
  signal?.addEventListener("abort", end);
  try {
    return (await child.status).code;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}
