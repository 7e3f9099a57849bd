/**
 * Globs: `?` is one character, `*` any number of them, `**` any number of directories.
 *
 * Matching takes time proportional to pattern times text, whatever they are.
 *
 * @module
 */

/** True when the whole text matches; `*` and `**` alike match any characters. */
export function matchGlob(pattern: string, text: string): boolean {
  return matchSequence([...pattern], [...text], isStar, (p, t) => p === "?" || p === t);
}

/** True when the path, or a directory that contains it, matches. Both are absolute, with slashes. */
export function matchPath(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern);
  // What is beneath a match is matched as well.
  return matchSequence([...wanted, "**"], segmentsOf(path), isDoubleStar, matchGlob);
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function isStar(item: string): boolean {
  return item === "*";
}

function isDoubleStar(item: string): boolean {
  return item === "**";
}

/**
 * Matches items one by one; a star takes as few as possible, and when that fails only the newest
 * star takes one more: an earlier one could not do better.
 */
function matchSequence(
  pattern: readonly string[],
  text: readonly string[],
  isAny: (item: string) => boolean,
  fits: (item: string, text: string) => boolean,
): boolean {
  let p = 0;
  let star = -1;
  let resume = 0;
  for (let t = 0; t < text.length;) {
    const wanted = pattern[p];
    if (wanted !== undefined && isAny(wanted)) {
      star = p++;
      resume = t;
    } else if (wanted !== undefined && fits(wanted, text[t] ?? "")) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.slice(p).every(isAny);
}
