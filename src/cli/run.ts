/**
 * The command line from its arguments to an exit status.
 *
 * @module
 */

import { killAllProcesses } from "../process/supervised.ts";
import { openWatchdog } from "../process/watchdog.ts";
import { watchCrashes } from "./crashes.ts";
import { missingPermissions, permissionsMessage } from "./deno_permissions.ts";
import { dispatch } from "./dispatch.ts";
import { silenceConsole } from "./library_console.ts";
import { outputWidth, printErr, printKept, printOut, reportError } from "./output.ts";
import { PROGRAM, rootCommand } from "./root.ts";

/**
 * Runs the program with its arguments and gives the exit status. Never rejects, and leaves no process
 * behind.
 */
export async function runCli(args: readonly string[]): Promise<number> {
  silenceConsole();
  // First of all: without them Deno would ask in the middle of whatever is on the terminal.
  const missing = missingPermissions();
  if (missing.length > 0) {
    printErr(permissionsMessage(missing));
    return 2;
  }
  if (Deno.build.os === "windows") {
    printErr("mm-repl is untested on Windows; WSL is the way to run it there.");
  }
  const crashed = watchCrashes();
  using _watchdog = openWatchdog();
  try {
    return await Promise.race([crashed, run(args)]);
  } finally {
    killAllProcesses();
    printKept();
  }
}

async function run(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  try {
    return await dispatch(rootCommand, first === "help" ? [...rest, "--help"] : args, {
      path: PROGRAM,
      width: outputWidth(),
      print: printOut,
    });
  } catch (error) {
    return reportError(error);
  }
}
