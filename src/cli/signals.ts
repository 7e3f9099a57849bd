/**
 * Signals that end the program.
 *
 * @module
 */

import { ERROR_TABLE } from "../base/errors.ts";

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
