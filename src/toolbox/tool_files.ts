/**
 * The files of a tool directory: which of them are tool files, and what all of them are at a moment.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import { createHash } from "node:crypto";
import { join, relative, sep } from "node:path";
import type { ToolDirectory, ToolProblem } from "./toolbox.ts";

/** One file of a directory. */
export interface ToolFile {
  /** Absolute. */
  readonly path: string;
  /** Hexadecimal SHA-256 of its content. */
  readonly hash: string;
  /** Names of modules that its text mentions after a slash: what it may import. */
  readonly mentions: readonly string[];
}

/** A directory as it was at one moment. */
export interface ToolFiles {
  /** The directory with all links resolved. */
  readonly root: string;
  /** By path below the root, in order. */
  readonly files: ReadonlyMap<string, ToolFile>;
  /** Paths below the root of the files that may hold tools, in order. */
  readonly candidates: readonly string[];
  /** Hexadecimal SHA-256 over all names and contents. */
  readonly digest: string;
  /** The same over what tool files may import: no tool files, or mentioned by another file. */
  readonly library: string;
  readonly problems: readonly ToolProblem[];
  /** What a tool process may read: the root, or its single files where links lead out of it. */
  readonly readable: readonly string[];
  /** Cheap to compare: changes whenever a file does. */
  readonly stamp: string;
}

/** The largest tool file, in bytes. */
const SOURCE_LIMIT = 1024 * 1024;

/** A directory larger than this is something else. */
const FILE_LIMIT = 20_000;
const BYTE_LIMIT = 256 * 1024 * 1024;

/** A change this soon after the last one may leave every time stamp as it was, in milliseconds. */
const COARSE_MS = 2_000;

interface Found {
  readonly name: string;
  readonly kind: "file" | "directory" | "link";
  readonly stamp: string;
  readonly bytes: number;
  readonly changed: number;
  /** Why it cannot be used. */
  readonly trouble?: string;
  /** A link that leads out of the directory, or nowhere. */
  readonly leadsOut?: boolean;
}

/** True when the path may be a tool file by its name. */
export function isToolFileName(name: string): boolean {
  return /\.m?ts$/.test(name) && !/^[_.]|\.d\.m?ts$|_test\.m?ts$|\.test\.m?ts$/.test(name) &&
    !name.includes(sep);
}

/** A directory before it has been read. */
export function unreadFiles({ path }: ToolDirectory): ToolFiles {
  const none = { files: new Map(), candidates: [], problems: [], readable: [] };
  return { root: path, digest: "", library: "", stamp: "", ...none };
}

/**
 * Reads a directory. One that does not exist has no files; one that cannot be read has a problem.
 */
export function loadToolFiles(directory: ToolDirectory): ToolFiles {
  const problems: ToolProblem[] = [];
  let root = directory.path;
  let found: Found[] = [];
  try {
    root = Deno.realPathSync(directory.path);
    found = walk(root, directory.origin === "user");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      problems.push({ file: directory.path, reason: explain(error) });
    }
  }
  const files = new Map<string, ToolFile>();
  const candidates: string[] = [];
  const hash = createHash("sha256");
  for (const entry of found) {
    const path = join(root, entry.name);
    const isCandidate = isToolFileName(entry.name);
    const report = (reason: string) => problems.push({ file: path, reason });
    if (entry.trouble !== undefined) {
      if (isCandidate || entry.leadsOut) report(entry.trouble);
      hash.update(`${entry.name}\0${entry.trouble}\n`);
      continue;
    }
    if (entry.kind === "directory") {
      if (isCandidate) report("is a directory, not a file");
      continue;
    }
    try {
      const content = Deno.readFileSync(path);
      const file: ToolFile = {
        path,
        hash: createHash("sha256").update(content).digest("hex"),
        mentions: entry.bytes <= SOURCE_LIMIT ? mentionsOf(content) : [],
      };
      files.set(entry.name, file);
      hash.update(`${entry.name}\0${file.hash}\n`);
      if (!isCandidate) continue;
      if (entry.bytes > SOURCE_LIMIT) {
        report(`has ${(entry.bytes / 1024 / 1024).toFixed(1)} MB; a tool file may have 1 MB`);
      } else candidates.push(entry.name);
    } catch (error) {
      if (isCandidate) report(explain(error));
      hash.update(`${entry.name}\0unreadable\n`);
    }
  }
  const leadsOut = found.some((entry) => entry.leadsOut);
  return {
    root,
    files,
    candidates,
    digest: hash.digest("hex"),
    library: libraryOf(files, candidates),
    problems,
    readable: leadsOut ? [...files.values()].map((file) => file.path) : [root],
    stamp: stampOf(found),
  };
}

/** False when a file was added, removed or touched since `files` was read. */
export function isUnchanged(files: ToolFiles, directory: ToolDirectory): boolean {
  try {
    return Deno.realPathSync(directory.path) === files.root &&
      stampOf(walk(files.root, directory.origin === "user")) === files.stamp;
  } catch {
    return files.files.size === 0;
  }
}

/** Changes whenever the description of one tool file may: with the file, or what it may import. */
export function sourceKey({ files, library }: ToolFiles, name: string): string {
  return `${files.get(name)?.hash} ${library}`;
}

/** What is different in `after`, one line each. */
export function nameChanges(
  before: { readonly [name: string]: string },
  after: { readonly [name: string]: string },
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    if (before[name] === after[name]) return [];
    if (before[name] === undefined) return [`${name} was added`];
    return [after[name] === undefined ? `${name} was removed` : `${name} was changed`];
  });
}

function libraryOf(
  files: ReadonlyMap<string, ToolFile>,
  candidates: readonly string[],
): string {
  const mentioned = new Set([...files.values()].flatMap((file) => file.mentions));
  const tools = new Set(candidates.filter((name) => !mentioned.has(name)));
  const hash = createHash("sha256");
  for (const [name, file] of files) if (!tools.has(name)) hash.update(`${name}\0${file.hash}\n`);
  return hash.digest("hex");
}

function walk(root: string, followsLinks: boolean): Found[] {
  const found: Found[] = [];
  let bytes = 0;
  const visit = (directory: string): void => {
    const entries = [...Deno.readDirSync(directory)].sort((a, b) => a.name < b.name ? -1 : 1);
    for (const { name } of entries) {
      if (name === ".git") continue;
      const path = join(directory, name);
      const entry = look(path, root, followsLinks);
      found.push(entry);
      bytes += entry.bytes;
      if (found.length > FILE_LIMIT || bytes > BYTE_LIMIT) {
        throw new Error(
          `holds more than ${FILE_LIMIT} files or ${
            BYTE_LIMIT / 1024 / 1024
          } MB, too much for tools`,
        );
      }
      if (entry.kind === "directory" && entry.trouble === undefined) {
        try {
          visit(path);
        } catch (error) {
          if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
        }
      }
    }
  };
  visit(root);
  return found;
}

function look(path: string, root: string, followsLinks: boolean): Found {
  const name = relative(root, path);
  const info = Deno.lstatSync(path);
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
  const isInside = target.startsWith(root + sep);
  if (!isInside && !(followsLinks && info.isFile)) {
    return { bytes: 0, trouble: "is a link out of the tool directory", leadsOut: true };
  }
  if (!info.isFile) return { bytes: 0, kind: "directory", trouble: "is a link to a directory" };
  return { kind: "file", ...stamp(info) };
}

function stamp(info: Deno.FileInfo): { stamp: string; bytes: number; changed: number } {
  const changed = Math.max(info.mtime?.getTime() ?? 0, info.ctime?.getTime() ?? 0);
  const stamp = `${info.size} ${info.mtime?.getTime()} ${info.ctime?.getTime()} ${info.ino}`;
  return { stamp, bytes: info.size, changed };
}

/** Never equal to another while a file is so young that a change could go unseen. */
function stampOf(found: readonly Found[]): string {
  const newest = found.reduce((latest, entry) => Math.max(latest, entry.changed), 0);
  const isYoung = Math.abs(Date.now() - newest) < COARSE_MS;
  const lines = found.map(({ name, kind, stamp, trouble = "" }) =>
    `${name}\0${kind}\0${stamp}\0${trouble}`
  );
  return lines.join("\n") + (isYoung ? `\n${crypto.randomUUID()}` : "");
}

function mentionsOf(content: Uint8Array): string[] {
  const text = new TextDecoder().decode(content);
  return [...text.matchAll(/\/([\w.-]+\.m?ts)["'`]/g)].map(([, name = ""]) => name);
}

function explain(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be read: permission denied";
  if (error instanceof Deno.errors.NotADirectory) return "is not a directory";
  return `cannot be read: ${messageOf(error)}`;
}
