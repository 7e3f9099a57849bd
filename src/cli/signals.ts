/**
 * Signals that end the program.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { ERROR_TABLE } from "../base/errors.ts";

/** How long work may take to end after a signal, in milliseconds. */
const ABORT_MS = 2_000;

const STATUSES = {
  SIGINT: ERROR_TABLE.interrupted.exit,
  SIGTERM: ERROR_TABLE.terminated.exit,
  SIGHUP: ERROR_TABLE.hangup.exit,
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
 * Does work that a signal aborts: gives its exit status, or that of the signal once the work has
 * ended, at most two seconds later.
 */
export async function untilSignal(
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const abort = new AbortController();
  const signalled = Promise.withResolvers<number>();
  const done = work(abort.signal);
  using _signals = onSignals(END_SIGNALS, (status) => {
    abort.abort();
    void within(done.catch(() => status), ABORT_MS).then(() => signalled.resolve(status));
  });
  return await Promise.race([done, signalled.promise]);
}
