/**
 * Errors that nobody caught: the last way out.
 *
 * @module
 */

import { killAllProcesses } from "../process/supervised.ts";
import { printErr, reportError } from "./output.ts";
import { restoreTerminal } from "./terminal_state.ts";

/** Settles with the exit status after an error or rejection that nobody caught. */
export function watchCrashes(): Promise<number> {
  const crashed = Promise.withResolvers<number>();
  const crash = (event: Event, error: unknown) => {
    event.preventDefault();
    restoreTerminal();
    killAllProcesses();
    printErr("mm-repl: something went wrong that should not have; this is a fault of mm-repl.");
    reportError(error);
    crashed.resolve(1);
  };
  globalThis.addEventListener("error", (event) => crash(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => crash(event, event.reason));
  return crashed.promise;
}
