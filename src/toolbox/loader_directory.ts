/**
 * Where Deno keeps its own files for tool processes.
 *
 * Web storage needs no permission, outlives the process and is shared by all that run the same
 * program: tools could write to the disk and leave each other messages. Deno's directory of a tool
 * process is therefore one of its own, in which a plain file takes the place of that storage; the
 * packages that were fetched are those of the user's directory.
 *
 * @module
 */

import { dirname, isAbsolute, join, resolve } from "node:path";

/** What tool processes share with every other Deno program of the user: packages and translations. */
const SHARED = ["npm", "remote", "gen"];

/** The place of web storage. */
const STORAGE = "location_data";

/**
 * Prepares the directory, for `DENO_DIR`; `undefined` when it cannot be made.
 *
 * @param cacheDir absolute
 */
export function prepareLoaderDirectory(cacheDir: string): string | undefined {
  const own = userDirectory();
  if (own === undefined) return undefined;
  const directory = join(cacheDir, "deno");
  try {
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const name of SHARED) {
      Deno.mkdirSync(join(own, name), { recursive: true });
      link(join(own, name), join(directory, name));
    }
    using _storage = Deno.openSync(join(directory, STORAGE), { create: true, append: true });
    return directory;
  } catch {
    return undefined;
  }
}

/** Deno's directory of the user. */
function userDirectory(): string | undefined {
  const named = Deno.env.get("DENO_DIR");
  if (named !== undefined && named !== "") return resolve(named);
  const home = Deno.env.get("HOME");
  if (home === undefined || !isAbsolute(home)) return undefined;
  if (Deno.build.os === "darwin") return join(home, "Library/Caches/deno");
  const caches = Deno.env.get("XDG_CACHE_HOME");
  return join(caches !== undefined && isAbsolute(caches) ? caches : join(home, ".cache"), "deno");
}

function link(target: string, path: string): void {
  if (linkTarget(path) === target) return;
  const temporary = join(dirname(path), crypto.randomUUID());
  Deno.symlinkSync(target, temporary);
  Deno.renameSync(temporary, path);
}

function linkTarget(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return undefined;
  }
}
