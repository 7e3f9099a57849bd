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
  /** Absolute; absent: the current one. */
  readonly cwd?: string;
  /** Added to the inherited environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** It leaves the cursor at the beginning of a line, as editors do. Default false. */
  readonly endsLine?: boolean;
}

/** How often it is looked whether the terminal is still there, in milliseconds. */
const LOOK_MS = 500;

/**
 * With job control the program is the terminal's foreground job: Ctrl-C and Ctrl-Z reach it and not
 * us. The shell stays its parent, and gives the terminal back when it has ended, whatever ended it,
 * on a line of its own: what the program wrote last is not to be written over.
 */
const script = (end: string) => `trap : INT; "$0" "$@"; status=$?; ${end}; exit $status`;

/**
 * Runs a program on the terminal of this process and waits for its end; whoever reads the terminal
 * must have let go of it. Gives the exit status, 128 and more for a signal.
 *
 * @throws {MmError} `internal` when no shell can be started.
 */
export async function runInTerminal(
  { command, args, cwd, env, endsLine = false }: TerminalCommand,
): Promise<number> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command("sh", {
      args: ["-m", "-c", script(endsLine ? ":" : "echo"), command, ...args],
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env },
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  } catch (error) {
    const what = `Cannot run ${command} in the terminal: ${messageOf(error)}`;
    throw new MmError("internal", what, { cause: error });
  }
  const tree = new ProcessTree(child.pid);
  using _supervised = superviseTree(tree);
  // In the background we are not told that the window has gone, and perhaps nobody is.
  const looking = setInterval(() => {
    if (!Deno.stdin.isTerminal()) tree.signal("SIGHUP");
  }, LOOK_MS);
  try {
    return (await child.status).code;
  } finally {
    clearInterval(looking);
  }
}
