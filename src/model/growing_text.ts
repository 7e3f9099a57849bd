/**
 * Text that grows by small pieces.
 *
 * An engine keeps a string that was put together as the tree of its pieces, which takes several times
 * the room of its characters and has to be walked by every collection of garbage. So the newest pieces
 * are kept apart, and made one string when there are enough of them.
 *
 * @module
 */

/** A text whose newest pieces are apart. */
export interface GrowingText {
  readonly settled: string;
  readonly newest: string;
}

/** Characters of {@link GrowingText.newest} that are made one string. */
const ENOUGH = 4096;

/**
 * The text with `more` at its end. Halves of characters that never met become U+FFFD, as they do at
 * the end of the message at the latest; a half that may still meet its other one is waited for.
 */
export function growText({ settled, newest }: GrowingText, more: string): GrowingText {
  const next = newest + more;
  if (next.length < ENOUGH || /[\ud800-\udbff]$/.test(next)) return { settled, newest: next };
  return { settled: settled + next.toWellFormed(), newest: "" };
}
