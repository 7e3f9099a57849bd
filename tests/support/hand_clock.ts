/**
 * Time that a test turns by hand.
 *
 * @module
 */

import type { Clock } from "../../src/base/clock.ts";

/** A clock that stands still until it is turned. */
export function handClock() {
  let now = 1_000;
  let timers: readonly { readonly at: number; readonly callback: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      const timer = { at: now + ms, callback };
      timers = [...timers, timer];
      return () => timers = timers.filter((other) => other !== timer);
    },
  };
  return {
    clock,
    async turn(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { callback } of due) callback();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}
