/**
 * Paths in permission rules.
 *
 * A path is judged by its name, and by where it really leads when somebody has followed its links.
 *
 * @module
 */

import { matchPath, mayMatchPath } from "./glob.ts";

/** Where relative paths and `~` lead to. */
export interface PathBase {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; without it `~` matches nothing. */
  readonly home?: string;
  /**
   * Where absolute paths really lead, links followed, by the path as {@link absolutePath} gives it; those
   * that are missing lead where they say.
   */
  readonly links?: ReadonlyMap<string, string>;
}

/**
 * Says of files whether a rule's path pattern matches them. The wide reading, for rules that restrict, is content
 * with the name or with where it leads, does not care about case, and takes relative patterns without
 * a leading directory anywhere. The narrow one wants both to match.
 */
export function pathMatcher(
  pattern: string,
  base: PathBase,
  wide: boolean,
): (file: string) => boolean {
  const patterns = patternsOf(pattern, base, wide).map((one) => wide ? fold(one) : one);
  const fits = (name: string) => patterns.some((one) => matchPath(one, name));
  return (file) => {
    const names = [resolvePath(file, base), realPath(absolutePath(file, base), base)];
    return wide ? names.some((name) => fits(fold(name))) : names.every(fits);
  };
}

/** True when a shell may put a file that the pattern matches in place of a word with globs. */
export function mayMatch(pattern: string, word: string, base: PathBase): boolean {
  const path = fold(resolvePath(word, base));
  return patternsOf(pattern, base, true).some((one) => mayMatchPath(fold(one), path));
}

/** The absolute form of a path: `~`, `.` and `..` resolved, without asking the file system. */
export function resolvePath(path: string, base: PathBase): string {
  const segments: string[] = [];
  for (const segment of absolutePath(path, base).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

/** A path from the root, with its `.` and `..` as they are: behind a link they lead elsewhere. */
export function absolutePath(path: string, base: PathBase): string {
  if (isHome(path) && base.home !== undefined) return base.home + path.slice(1);
  return path.startsWith("/") ? path : `${base.cwd}/${path}`;
}

/** Absolute paths whose real places count for a pattern: its beginning without globs, and the base. */
export function anchorsOf(pattern: string, base: PathBase): readonly string[] {
  return [base.cwd, ...patternsOf(pattern, base, false).map((one) => splitPattern(one)[0])];
}

function patternsOf(pattern: string, base: PathBase, wide: boolean): readonly string[] {
  if (isHome(pattern) && base.home === undefined) return [];
  const relative = !isHome(pattern) && !pattern.startsWith("/");
  const inner = pattern.replace(/\/+$/, "").includes("/") || isHome(pattern);
  const deep = relative && !inner ? `**/${pattern}` : pattern;
  const here = resolvePath(deep, base);
  // An allow goes where the project's own links lead only when the person has named that place.
  const real = relative && !wide
    ? resolvePath(deep, { ...base, cwd: realPath(base.cwd, base) })
    : realPattern(here, base);
  const anywhere = wide && deep.startsWith("**/") ? [`/${deep}`] : [];
  return [here, real, ...anywhere];
}

function realPattern(pattern: string, base: PathBase): string {
  const [fixed, rest] = splitPattern(pattern);
  return `${realPath(fixed, base)}${rest}`;
}

/** The directories before the first glob, and the rest with its slash. */
function splitPattern(pattern: string): readonly [fixed: string, rest: string] {
  const glob = pattern.search(/[*?]/);
  if (glob < 0) return [pattern, ""];
  const slash = pattern.lastIndexOf("/", glob);
  return [pattern.slice(0, slash) || "/", pattern.slice(slash)];
}

function realPath(path: string, base: PathBase): string {
  return base.links?.get(path) ?? resolvePath(path, base);
}

function isHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}

/** Some systems find names in any case and Unicode form, and without characters that are not seen. */
function fold(path: string): string {
  return path.normalize("NFC").replace(INVISIBLE, "").toUpperCase().toLowerCase();
}

const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
