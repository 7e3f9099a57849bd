/**
 * Waiting for the end of a program that is being started.
 *
 * @module
 */

import type { App } from "../app/view.ts";
import { type Clock, systemClock, within } from "../base/clock.ts";
import { killAllProcesses } from "../process/supervised.ts";
import { END_SIGNALS, type EndSignal, onSignals } from "./signals.ts";
import { restoreTerminal } from "./terminal_state.ts";

/** How long everything may take to end after a signal, in milliseconds. */
const LEAVE_MS = 2_000;

/** How long what was written may take to reach its reader after a signal, in milliseconds. */
const FLUSH_MS = 10_000;

/** A program, and the status that its front end comes to. */
export interface Running {
  readonly app: App;
  readonly ended: Promise<number>;
}

/** What a program came to. */
export interface Ended {
  readonly status: number;
  /** Absent where a signal came before it was there. */
  readonly app?: App;
}

/** How to wait. */
export interface UntilEndOptions {
  /** Signals that the front end knows what to do with, from its start on. Default: none. */
  readonly own?: readonly EndSignal[];
  readonly clock?: Clock;
}

/**
 * Waits for the end of the run, or a signal, and ends what was started: after the first signal in
 * bounded time, also while the start hangs, and at once after the second.
 */
export async function untilEnd(
  starting: Promise<Running>,
  { own = [], clock = systemClock }: UntilEndOptions = {},
): Promise<Ended> {
  const signalled = Promise.withResolvers<number>();
  let running: Running | undefined;
  let leaving = false;
  let hurried = false;
  const take = (status: number) => {
    const end = () => signalled.resolve(status);
    if (leaving) {
      // The second one does not wait for anything.
      hurried = true;
      return end();
    }
    leaving = true;
    void leave(starting, status, clock).then(end, end);
  };
  using _signals = onSignals(END_SIGNALS.filter((signal) => !own.includes(signal)), take);
  try {
    {
      // Nobody else listens to these while the agent has been started and the front end has not.
      using _early = onSignals(own, take);
      const started = starting.then((value) => void (running = value));
      await Promise.race([started, signalled.promise]);
    }
    const ended = starting.then((value) => value.ended);
    return { status: await Promise.race([ended, signalled.promise]), app: running?.app };
  } finally {
    if (hurried) killAllProcesses();
    else if (running !== undefined) await within(running.app.leave(1), LEAVE_MS, clock);
    restoreTerminal();
  }
}

/** Ends everything, and lets the front end write what it still has for a reader that is slow. */
async function leave(starting: Promise<Running>, status: number, clock: Clock): Promise<void> {
  const started = await within(starting, LEAVE_MS, clock);
  if (started.ok) await within(started.value.app.leave(status), LEAVE_MS, clock);
  killAllProcesses();
  if (started.ok) await within(started.value.ended, FLUSH_MS, clock);
}
