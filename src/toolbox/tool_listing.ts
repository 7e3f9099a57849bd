/**
 * Looking through a tool directory without opening its files.
 *
 * @module
 */

import { dirname, join, relative, sep } from "node:path";

/** One entry of a directory. */
export interface Found {
  /** Path below the root. */
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
  /** Changes whenever the file does, but for changes that follow each other very closely. */
  readonly stamp: string;
  readonly bytes: number;
  /** When it changed last, in milliseconds since the epoch. */
  readonly changed: number;
  /** Why it cannot be used. */
  readonly trouble?: string;
  /** A link that leads out of the directory, or nowhere. */
  readonly leadsOut?: boolean;
}

/** What is in a directory and all below it. */
export interface Listing {
  /** In order. */
  readonly found: readonly Found[];
  /** The largest paths, absolute, that hold neither links out nor what is not looked at. */
  readonly readable: readonly string[];
  /** Changes whenever a file does. Never equal to another while a file is young. */
  readonly stamp: string;
}

/** A directory larger than this is something else. */
const FILE_LIMIT = 20_000;
const BYTE_LIMIT = 256 * 1024 * 1024;

/** A change this soon after the last one may leave every time stamp as it was, in milliseconds. */
const COARSE_MS = 2_000;

/** Changes with every commit; tools get to see nothing of it. */
const UNSEEN = ".git";

/**
 * Lists a directory.
 *
 * @param root absolute, links resolved
 * @param followsLinks whether files that links out of the directory name are its files
 * @throws {Error} when it cannot be read or is too large.
 */
export function listDirectory(root: string, followsLinks: boolean): Listing {
  const found: Found[] = [];
  const barred: string[] = [];
  let bytes = 0;
  const visit = (prefix: string): void => {
    const directory = join(root, prefix);
    const entries = [...Deno.readDirSync(directory)].sort((a, b) => a.name < b.name ? -1 : 1);
    for (const { name: own } of entries) {
      const name = prefix + own;
      if (own === UNSEEN) {
        barred.push(name);
        continue;
      }
      const entry = look(name, root, followsLinks);
      if (entry === undefined) continue;
      found.push(entry);
      if (entry.leadsOut) barred.push(entry.name);
      bytes += entry.bytes;
      if (found.length > FILE_LIMIT || bytes > BYTE_LIMIT) {
        const megabytes = BYTE_LIMIT / 1024 / 1024;
        throw new Error(
          `holds more than ${FILE_LIMIT} files or ${megabytes} MB: it cannot be a tool directory`,
        );
      }
      if (entry.kind !== "directory" || entry.trouble !== undefined) continue;
      try {
        visit(name + sep);
      } catch (error) {
        if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
      }
    }
  };
  visit("");
  return {
    found,
    readable: readablePaths(root, found, barred),
    stamp: stampOf(found, barred),
  };
}

/** True while a further change could leave the stamp as it is. */
export function isYoung({ changed }: Found): boolean {
  return Math.abs(Date.now() - changed) < COARSE_MS;
}

/** `undefined` for what has gone since the directory was read, such as an editor's own files. */
function look(name: string, root: string, followsLinks: boolean): Found | undefined {
  const path = root + sep + name;
  let info: Deno.FileInfo;
  try {
    info = Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
  const kind = info.isSymlink ? "link" : info.isDirectory ? "directory" : "file";
  const base = { name, kind, ...stamp(info) } as const;
  if (kind === "link") return { ...base, ...followLink(path, root, followsLinks) };
  if (kind === "file" && !info.isFile) return { ...base, trouble: "is not a regular file" };
  return kind === "directory" ? { ...base, bytes: 0, stamp: "", changed: 0 } : base;
}

function followLink(path: string, root: string, followsLinks: boolean): Partial<Found> {
  let target: string;
  try {
    target = Deno.realPathSync(path);
  } catch {
    return { bytes: 0, trouble: "is a link to nothing", leadsOut: true };
  }
  const info = Deno.statSync(target);
  const isInside = target.startsWith(root + sep) &&
    !relative(root, target).split(sep).includes(UNSEEN);
  if (!isInside && !(followsLinks && info.isFile)) {
    return { bytes: 0, trouble: "is a link out of the tool directory", leadsOut: true };
  }
  if (info.isDirectory) return { bytes: 0, kind: "directory", trouble: "is a link to a directory" };
  if (!info.isFile) return { bytes: 0, trouble: "is not a regular file" };
  return { kind: "file", ...stamp(info) };
}

function stamp(info: Deno.FileInfo): { stamp: string; bytes: number; changed: number } {
  const [mtime, ctime] = [info.mtime?.getTime(), info.ctime?.getTime()];
  // Without the time of the last change of its own, which nobody can set back, a file stays young.
  const changed = ctime === undefined ? Date.now() : Math.max(mtime ?? 0, ctime);
  return { stamp: `${info.size} ${mtime} ${ctime} ${info.ino}`, bytes: info.size, changed };
}

function stampOf(found: readonly Found[], barred: readonly string[]): string {
  const lines = found.map(({ name, kind, stamp, trouble = "" }) =>
    `${name}\0${kind}\0${stamp}\0${trouble}`
  );
  const young = found.some(isYoung) ? [crypto.randomUUID()] : [];
  return [...lines, ...barred, ...young].join("\n");
}

function readablePaths(
  root: string,
  found: readonly Found[],
  barred: readonly string[],
): string[] {
  if (barred.length === 0) return [root];
  const around = new Set(barred.flatMap(ancestors));
  const excluded = new Set(barred);
  return found
    .filter(({ name }) => around.has(dirname(name)) && !around.has(name) && !excluded.has(name))
    .map(({ name }) => join(root, name));
}

/** `a/b/c` → `a/b`, `a`, `.`. */
function ancestors(name: string): string[] {
  const parent = dirname(name);
  return parent === "." ? [parent] : [parent, ...ancestors(parent)];
}
