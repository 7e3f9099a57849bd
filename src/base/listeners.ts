/**
 * A minimal observable: a set of listeners.
 *
 * @module
 */

/**
 * Takes a listener away again.
 *
 * ```ts
 * import { SessionStore, type Unsubscribe } from "@mm/repl";
 *
 * const stop: Unsubscribe = new SessionStore("/tmp").subscribe(() => {});
 * stop();
 * ```
 */
export type Unsubscribe = () => void;

/**
 * Calls a listener with a value. Never throws: what the listener throws costs nobody else, and is
 * reported like any error that nobody catches.
 */
export function tell<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    reportError(error);
  }
}

/** Listeners for values of one type, called in the order in which they were added. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Adds a listener. */
  add(listener: (value: T) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls every listener with the value, as {@link tell} does. */
  emit(value: T): void {
    for (const listener of [...this.#listeners]) tell(listener, value);
  }
}
