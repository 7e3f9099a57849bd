/**
 * What in the words of a command may be the path of a file.
 *
 * @module
 */

/** Paths, from the surest to the least sure; each list holds those before it. */
export interface WordPaths {
  /** Whole words, and what follows `=`. */
  readonly sure: readonly string[];
  /** Also what follows the letter of an option, `@` or `:`. */
  readonly parts: readonly string[];
  /** Also what could be a path within longer text, such as the line of another program. */
  readonly all: readonly string[];
}

/** Parts that are looked at, at most; what has more is text, not a list of files. */
const MOST = 1000;

/** Finds what may be paths in words and, less surely, in other text. */
export function pathsWithin(words: readonly string[], texts: readonly string[]): WordPaths {
  const sure = words.flatMap((word) => {
    const value = word.indexOf("=");
    return [...(word.startsWith("-") ? [] : [word]), ...(value < 0 ? [] : [word.slice(value + 1)])];
  });
  const parts = words.flatMap((word) => [
    ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
    ...(word.length < 4096 ? [...word.matchAll(/[@:,=]+/g)] : [])
      .slice(0, 16)
      .map((mark) => word.slice(mark.index + mark[0].length)),
  ]);
  const strings = [...words.filter((word) => /[\s"'(;<>]/.test(word)), ...texts];
  const within = strings.flatMap((text) => text.split(/[\s"'`()\[\]{};,<>|&=]+/)).slice(0, MOST);
  const least = [...sure, ...parts].map(withoutScheme).filter((path) => path !== "");
  return {
    sure: sure.map(withoutScheme).filter((path) => path !== ""),
    parts: least,
    all: [...least, ...within.filter((path) => path !== "")],
  };
}

/** `file:` before a path. */
function withoutScheme(path: string): string {
  return path.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, "");
}
