/**
 * Writing files so that nobody ever sees half of one.
 *
 * @module
 */

import { dirname, resolve } from "node:path";

/** How to write. */
export interface ReplaceFileOptions {
  /** Of a file that is made. Default: the usual mode. */
  readonly mode?: number;
  /** Whether a file that is there gets that mode, too. Default: it keeps its own. */
  readonly enforceMode?: boolean;
}

/**
 * Puts text in place of a file, or makes the file: whatever happens meanwhile, the old one or the new
 * one is there, whole. Where the path is a link, what it leads to is replaced or made. The file keeps
 * its mode and, where we may see to that, its owner.
 *
 * @throws {Error} of the system, or because something other than a file is there (a directory, a
 * pipe, a device); then everything is as it was
 */
export async function replaceFile(
  path: string,
  text: string,
  options: ReplaceFileOptions = {},
): Promise<void> {
  const real = await targetOf(path);
  const before = await fileAt(real);
  const temporary = `${real}.${crypto.randomUUID()}.tmp`;
  try {
    await writeReplacement(temporary, text, before, options);
    await Deno.rename(temporary, real);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/**
 * Writes a file that is to take the place of the one before, if any, with its mode and, where we may
 * see to that, its owner. Throws what the system does.
 */
export async function writeReplacement(
  temporary: string,
  text: string,
  before: Deno.FileInfo | undefined,
  { mode, enforceMode = false }: ReplaceFileOptions = {},
): Promise<void> {
  // Nobody else may read it before it has the mode of the other.
  const first = before === undefined ? mode : 0o600;
  using file = await Deno.open(temporary, { write: true, createNew: true, mode: first });
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(await file.write(rest));
  await file.syncData();
  if (before !== undefined) await takeAfter(temporary, before, enforceMode ? mode : undefined);
}

/** Where a path leads, also through links to what is not there. */
async function targetOf(path: string): Promise<string> {
  try {
    return await Deno.realPath(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return path;
    const link = await Deno.readLink(path).catch(() => undefined);
    return link === undefined ? path : await targetOf(resolve(dirname(path), link));
  }
}

/** The file that is to be replaced; throws where something else is there. */
async function fileAt(real: string): Promise<Deno.FileInfo | undefined> {
  const info = await Deno.stat(real).catch((error) => {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  });
  if (info?.isDirectory) throw new Deno.errors.IsADirectory("it is a directory");
  if (info !== undefined && !info.isFile) throw new Error("it is not a regular file");
  return info;
}

/** Gives a file the owner of the other, and its mode unless there is one to give. */
async function takeAfter(path: string, before: Deno.FileInfo, mode?: number): Promise<void> {
  const mine = await Deno.stat(path);
  if (mine.uid !== before.uid || mine.gid !== before.gid) {
    await Deno.chown(path, before.uid, before.gid).catch(() => {});
  }
  const given = mode ?? before.mode;
  if (given !== null) await Deno.chmod(path, given & 0o7777);
}
