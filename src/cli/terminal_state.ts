/**
 * Who knows how to put the terminal back: the front end that has changed it.
 *
 * @module
 */

let restore: (() => void) | undefined;

/** Sets what {@link restoreTerminal} calls: synchronous, harmless when called twice. */
export function onRestoreTerminal(callback: () => void): void {
  restore = callback;
}

/** Leaves the terminal as it was found. Never throws. */
export function restoreTerminal(): void {
  try {
    restore?.();
  } catch {
    // A terminal that is gone needs no restoring.
  }
}
