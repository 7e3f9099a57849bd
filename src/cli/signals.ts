/**
 * Signals that end the program.
 *
 * @module
 */

import { systemClock } from "../base/clock.ts";
import { ERROR_TABLE } from "../base/errors.ts";

/** How long work may take to end after a signal, in milliseconds. */
const ABORT_MS = 2_000;

/** Systems number these differently. */
const USER_SIGNALS = Deno.build.os === "linux" ? [10, 12] as const : [30, 31] as const;

/**
 * Every signal that would end us on the spot, with the terminal raw and the agent alive, if nobody
 * listened. Those that no error stands for end us with 128 and their number, as a shell says it of
 * a program that they have ended.
 */
const STATUSES = {
  SIGINT: ERROR_TABLE.interrupted.exit,
  SIGTERM: ERROR_TABLE.terminated.exit,
  SIGHUP: ERROR_TABLE.hangup.exit,
  SIGQUIT: ERROR_TABLE.quit.exit,
  SIGALRM: 128 + 14,
  SIGUSR1: 128 + USER_SIGNALS[0],
  SIGUSR2: 128 + USER_SIGNALS[1],
  SIGXCPU: 128 + 24,
} as const;

/** A signal that ends the program. */
export type EndSignal = keyof typeof STATUSES;

/** All of them. */
export const END_SIGNALS = Object.keys(STATUSES) as EndSignal[];

/** Calls `handle` for each of the signals with the exit status that stands for it, until disposed. */
export function onSignals(
  signals: readonly EndSignal[],
  handle: (status: number) => void,
): Disposable {
  const listeners = signals.map((signal) => {
    const listener = () => handle(STATUSES[signal]);
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  return { [Symbol.dispose]: () => listeners.forEach((remove) => remove()) };
}

/**
 * Does work that a signal aborts. Gives its exit status, or that of the signal once the work has
 * ended, at most two seconds later: what the work makes of being aborted does not count.
 */
export async function untilSignal(
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const abort = new AbortController();
  const late = Promise.withResolvers<void>();
  let signalled: number | undefined;
  let stopWaiting = () => {};
  using _signals = onSignals(END_SIGNALS, (status) => {
    if (signalled !== undefined) return;
    signalled = status;
    abort.abort();
    stopWaiting = systemClock.after(ABORT_MS, late.resolve);
  });
  try {
    const status = await Promise.race([work(abort.signal), late.promise]);
    return signalled ?? status ?? 0;
  } catch (error) {
    if (signalled === undefined) throw error;
    return signalled;
  } finally {
    stopWaiting();
  }
}
