/**
 * Where a path really leads, and whether that is inside a session's directories.
 *
 * @module
 */

import type { FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

/** As many links as the system follows in one path. */
const MAX_LINKS = 40;
/** Longer paths are not opened by most systems, and deeper ones take long to be found. */
const MAX_LENGTH = 4096;
const MAX_DEPTH = 256;

/** A path that is not followed, although something may be there for those who shorten it. */
export class PathTooLong extends Error {
  readonly code = "ENAMETOOLONG";
}

/**
 * The absolute path of what the system would open, or create, for `path`: every link followed
 * (dangling ones too), `..` applied to where a link leads. Parts that do not exist stay as they are.
 *
 * Throws {@link PathTooLong}, or what the system says about a path that cannot lead anywhere, e.g.
 * `NotFound` for `missing/../file`.
 */
export async function realTarget(path: string, links = 0): Promise<string> {
  if (path.length > MAX_LENGTH || path.split("/", MAX_DEPTH + 1).length > MAX_DEPTH) {
    throw new PathTooLong("the path is too long");
  }
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const link = await linkAt(path);
  const parent = dirname(path);
  if (link !== undefined) {
    if (links >= MAX_LINKS) throw new Deno.errors.FilesystemLoop("too many links");
    return await realTarget(isAbsolute(link) ? link : `${parent}/${link}`, links + 1);
  }
  const name = basename(path);
  if (name === ".." || name === "." || parent === path) {
    throw new Deno.errors.NotFound("no such file or directory");
  }
  return join(await realTarget(parent, links), name);
}

/** True when `real` (links followed) is one of the directories or lies in one. */
export async function isInside(real: string, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const root = await Deno.realPath(directory).catch(() => undefined);
    if (root === undefined) continue;
    if (real === root || real.startsWith(root.endsWith("/") ? root : `${root}/`)) return true;
  }
  return false;
}

/** Says whether what was opened is a file, and still the one that its path leads to, links apart. */
export async function isStillAt(file: FileHandle, real: string): Promise<boolean> {
  const opened = await file.stat();
  if (!opened.isFile()) return false;
  const now = await Deno.lstat(real);
  return await Deno.realPath(real) === real && opened.dev === now.dev && opened.ino === now.ino;
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await Deno.readLink(path);
  } catch {
    return undefined;
  }
}
