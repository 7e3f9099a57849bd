/**
 * A process that is started before whoever talks to it has been loaded.
 *
 * @module
 */

import type { ProcessSpec } from "./spawn.ts";
import { startProcess, type SupervisedProcess } from "./supervised.ts";

/** Starts a process; {@link startProcess} is one. */
export type ProcessStarter = (spec: ProcessSpec) => Promise<SupervisedProcess>;

/**
 * Starts a process now. The starter that comes back gives it to its first caller, and starts another
 * one for every further call. Lines on stderr that nobody listened to yet are in its `stderr()` only.
 */
export function startEarly(spec: ProcessSpec): ProcessStarter {
  let early: Promise<SupervisedProcess> | undefined = startProcess(spec);
  // Why it failed is told to the one who asks for it.
  early.catch(() => {});
  return (wanted) => {
    const process = early ?? startProcess(wanted);
    early = undefined;
    return process;
  };
}
