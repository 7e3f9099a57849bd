/**
 * Sets of words, as they are easiest to read and to add to.
 *
 * @module
 */

/** The words of a text, which blanks and line ends keep apart. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
