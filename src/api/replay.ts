/**
 * Where the history of a loaded session ends.
 *
 * @module
 */

/** How long nothing may come before the history counts as complete. */
const QUIET_MS = 100;

/** How long a history that comes after its answer is waited for at most. */
const LATEST_MS = 3_000;

/**
 * Waits until `count`, a number of updates, has stood still for 100 ms, 3 s at most: there is no
 * other sign by which the end of a history that follows the answer to `session/load` can be known.
 */
export async function awaitQuiet(count: () => number): Promise<void> {
  const latest = performance.now() + LATEST_MS;
  for (let before = -1; before !== count() && performance.now() < latest;) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}
