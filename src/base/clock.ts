/**
 * Time as a dependency, so that tests can turn it by hand.
 *
 * @module
 */

/** A source of time and timers. */
export interface Clock {
  /** Milliseconds since a moment that the clock names; {@link systemClock}: since the epoch. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function takes that back. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const id = setTimeout(callback, ms);
    return () => clearTimeout(id);
  },
};

/** For spans: counts milliseconds from some moment on, and does not jump when the clock is set. */
export const steadyClock: Clock = { ...systemClock, now: () => performance.now() };

/** The outcome of {@link within}: the value, or that time ran out. */
export type Timed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false };

/** Waits for `promise` at most `ms` milliseconds. A rejection of `promise` is passed on. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock = systemClock,
): Promise<Timed<T>> {
  let stop = () => {};
  const late = new Promise<Timed<T>>((resolve) => {
    stop = clock.after(ms, () => resolve({ ok: false }));
  });
  try {
    return await Promise.race([promise.then((value): Timed<T> => ({ ok: true, value })), late]);
  } finally {
    stop();
  }
}
