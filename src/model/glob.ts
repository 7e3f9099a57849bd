/**
 * Globs: `?` is one character, `*` any number of them, `**` any number of directories.
 *
 * Matching takes time proportional to pattern times text, whatever they are.
 *
 * @module
 */

/** Longer names in a shell's pattern are not looked at. */
const LONGEST_NAME = 512;

/** True when the whole text matches; `*` and `**` alike match any characters. */
export function matchGlob(pattern: string, text: string): boolean {
  const fixed = pattern.search(/[*?]/);
  if (fixed < 0) return pattern === text;
  if (!text.startsWith(pattern.slice(0, fixed))) return false;
  return matchSequence([...pattern], [...text], isStar, (p, t) => p === "?" || p === t);
}

/** True when the path, or a directory that contains it, matches. Both are absolute, with slashes. */
export function matchPath(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern);
  // What is beneath a match is matched as well.
  return matchSequence([...wanted, "**"], segmentsOf(path), isDoubleStar, matchGlob);
}

/**
 * True when a path that a shell could put in place of a word may be one that the pattern matches. Both
 * are absolute; in the word `*`, `?` and `[…]` stand for any character but a slash, and not for a dot
 * at the beginning of a name.
 */
export function mayMatchPath(pattern: string, word: string): boolean {
  const wanted = [...segmentsOf(pattern), "**"];
  // Each of these says which beginnings of the pattern can meet the word so far.
  let reached = pastStars(new Set([0]), wanted, "**");
  for (const name of segmentsOf(word)) {
    const next = new Set<number>();
    for (const at of reached) {
      const segment = wanted[at];
      if (segment === "**") next.add(at);
      else if (segment !== undefined && mayMatchName(segment, name)) next.add(at + 1);
    }
    reached = pastStars(next, wanted, "**");
  }
  return reached.has(wanted.length);
}

/** Positions that are reached when stars stand for nothing. */
function pastStars(positions: Set<number>, items: readonly string[], star: "*" | "**") {
  for (const at of positions) if (items[at] === star) positions.add(at + 1);
  return positions;
}

/** Whether a name may match both a pattern and what a shell puts in place of a word. */
export function mayMatchName(pattern: string, word: string): boolean {
  if (word.length > LONGEST_NAME) return true;
  const wild = word.replace(/\[[^\]]*\]/g, "?");
  if (pattern.startsWith(".") && /^[*?]/.test(wild)) return false;
  // Each of these says which beginnings of the word can still meet the pattern so far.
  const letters = [...wild];
  let reached = pastStars(new Set([0]), letters, "*");
  for (const letter of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      const given = letters[at];
      if (letter === "*") { for (let to = at; to <= letters.length; to++) next.add(to); }
      else if (given === "*") next.add(at);
      else if (given !== undefined && (letter === "?" || given === "?" || given === letter)) {
        next.add(at + 1);
      }
    }
    reached = pastStars(next, letters, "*");
  }
  return reached.has(letters.length);
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
