/**
 * Paths in permission rules.
 *
 * @module
 */

import { matchPath } from "./glob.ts";

/** Where relative paths and `~` lead to. */
export interface PathBase {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; without it `~` matches nothing. */
  readonly home?: string;
}

/**
 * True when a rule's path pattern matches a file. The wide reading, for rules that restrict, does
 * not care about case, and takes relative patterns without a leading directory anywhere.
 */
export function matchesPath(pattern: string, file: string, base: PathBase, wide: boolean): boolean {
  const path = resolvePath(file, base);
  return patternsOf(pattern, base, wide).some((absolute) =>
    wide ? matchPath(absolute.toLowerCase(), path.toLowerCase()) : matchPath(absolute, path)
  );
}

/** The absolute form of a path: `~`, `.` and `..` resolved, without asking the file system. */
export function resolvePath(path: string, base: PathBase): string {
  const full = fromHome(path, base) ?? (path.startsWith("/") ? path : `${base.cwd}/${path}`);
  const segments: string[] = [];
  for (const segment of full.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

function patternsOf(pattern: string, base: PathBase, wide: boolean): readonly string[] {
  if (isHome(pattern)) return base.home === undefined ? [] : [resolvePath(pattern, base)];
  const deep = pattern.replace(/\/+$/, "").includes("/") ? pattern : `**/${pattern}`;
  const here = resolvePath(deep, base);
  return wide && deep.startsWith("**/") ? [here, `/${deep}`] : [here];
}

function fromHome(path: string, base: PathBase): string | undefined {
  return isHome(path) && base.home !== undefined ? base.home + path.slice(1) : undefined;
}

function isHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}
