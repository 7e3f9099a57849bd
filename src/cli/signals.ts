/**
 * Signals that end the program.
 *
 * @module
 */

import { ERROR_TABLE } from "../base/errors.ts";

const SIGNALS = [
  ["SIGINT", ERROR_TABLE.interrupted.exit],
  ["SIGTERM", ERROR_TABLE.terminated.exit],
  ["SIGHUP", ERROR_TABLE.hangup.exit],
] as const;

/** A signal of {@link onSignals}. */
export type EndSignal = (typeof SIGNALS)[number][0];

/** Calls `handle` for each signal with the exit status that stands for it, until disposed. */
export function onSignals(handle: (status: number, signal: EndSignal) => void): Disposable {
  const listeners = SIGNALS.map(([signal, status]) => {
    const listener = () => handle(status, signal);
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  return { [Symbol.dispose]: () => listeners.forEach((remove) => remove()) };
}
