/**
 * What in the words of a command may be the path of a file.
 *
 * @module
 */

/** Paths, from the surest to the least sure; each list holds those before it. */
export interface WordPaths {
  /** Whole words, and what follows `=`. */
  readonly sure: readonly string[];
  /** Also what follows the letters of options, and what stands between `@`, `:` and their like. */
  readonly parts: readonly string[];
  /** Also what could be a path within longer text, such as the line of another program. */
  readonly all: readonly string[];
}

/** Parts that are looked at, at most; what has more is text, not a list of files. */
const MOST = 1000;

/** Finds what may be paths in words and, less surely, in other text. */
export function pathsWithin(words: readonly string[], texts: readonly string[]): WordPaths {
  const sure = pathsOf(words.flatMap((word) => {
    const value = word.indexOf("=");
    return [...(word.startsWith("-") ? [] : [word]), ...(value < 0 ? [] : [word.slice(value + 1)])];
  }));
  const parts = words.flatMap((word) => [
    ...behindLetters(word),
    ...(word.length < 4096 ? [...word.matchAll(/[@:,;=]+/g)] : [])
      .slice(0, 16)
      .map((mark) => word.slice(mark.index + mark[0].length)),
    ...(word.length < 4096 ? word.split(/[@:,;=]+/, 16) : []),
  ]);
  const strings = [...words.filter((word) => /[\s"'(;<>]/.test(word)), ...texts];
  const within = strings.flatMap((text) => text.split(/[\s"'`()\[\]{};,<>|&=]+/)).slice(0, MOST);
  const least = [...new Set([...sure, ...pathsOf(parts)])];
  return { sure, parts: least, all: [...new Set([...least, ...within])].filter(isThere) };
}

/** The paths that texts stand for, each once. */
function pathsOf(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.map(withoutScheme))].filter(isThere);
}

function isThere(path: string): boolean {
  return path !== "";
}

/** `-xfFILE`: what may stand behind some letters of options. */
function behindLetters(word: string): readonly string[] {
  const letters = /^-[A-Za-z]{1,8}(?=.)/.exec(word)?.[0].length ?? 0;
  return Array.from({ length: Math.max(0, letters - 1) }, (_, index) => word.slice(index + 2));
}

/** `file:` before a path. */
function withoutScheme(path: string): string {
  return path.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/i, "");
}
