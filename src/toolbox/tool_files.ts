/**
 * The files of a tool directory: which of them are tool files, and what all of them are at a moment.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isToolFileName } from "./tool_file_name.ts";
import { type Found, isYoung, listDirectory, type Listing } from "./tool_listing.ts";
import type { ToolDirectory, ToolProblem } from "./toolbox.ts";

/** What is known of a file for as long as its stamp is the same. */
export interface KnownFile {
  /** Changes whenever the file does; empty while it is so young that a change could go unseen. */
  readonly stamp: string;
  /** Hexadecimal SHA-256 of its content. */
  readonly hash: string;
  /** Names of modules that its text mentions: what it may import. */
  readonly mentions: readonly string[];
}

/** A directory as it was at one moment. */
export interface ToolFiles {
  /** The directory with all links resolved. */
  readonly root: string;
  /** By path below the root, in order. */
  readonly files: ReadonlyMap<string, KnownFile>;
  /** What was found at each path below the root: the hash of a file, or why it is none. */
  readonly seen: { readonly [name: string]: string };
  /** Paths below the root of the files that may hold tools, in order. */
  readonly candidates: readonly string[];
  /** Hexadecimal SHA-256 over all that was seen. */
  readonly digest: string;
  /** The same over what tool files may import: no tool files, or mentioned by another file. */
  readonly library: string;
  readonly problems: readonly ToolProblem[];
  /** What a tool process may read: the root, or what of it has neither links out nor unseen files. */
  readonly readable: readonly string[];
  /** Cheap to compare: changes whenever a file does. */
  readonly stamp: string;
}

/** The largest tool file, in bytes. */
const SOURCE_LIMIT = 1024 * 1024;

/** A directory before it has been read. */
export function unreadFiles({ path }: ToolDirectory): ToolFiles {
  const none = { files: new Map(), seen: {}, candidates: [], problems: [], readable: [] };
  return { root: path, digest: "", library: "", stamp: "", ...none };
}

/**
 * Reads a directory. One that does not exist has no files; one that cannot be read has a problem.
 *
 * @param known files of an earlier reading; those with the same stamp are not read again
 */
export function loadToolFiles(
  directory: ToolDirectory,
  known: ReadonlyMap<string, KnownFile> = new Map(),
): ToolFiles {
  const problems: ToolProblem[] = [];
  let root = directory.path;
  let listing: Listing = { found: [], readable: [], stamp: "" };
  try {
    root = Deno.realPathSync(directory.path);
    listing = listDirectory(root, directory.origin === "user");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) {
      problems.push({ file: directory.path, reason: explain(error) });
    }
  }
  const files = new Map<string, KnownFile>();
  const seen: [name: string, what: string][] = [];
  const candidates: string[] = [];
  for (const entry of listing.found) {
    const path = join(root, entry.name);
    const isCandidate = isToolFileName(entry.name);
    const report = (reason: string) => problems.push({ file: path, reason });
    if (entry.trouble !== undefined) {
      if (isCandidate || entry.leadsOut) report(entry.trouble);
      seen.push([entry.name, entry.trouble]);
      continue;
    }
    if (entry.kind === "directory") {
      if (isCandidate) report("is a directory, not a file");
      continue;
    }
    try {
      const file = readFile(path, entry, known.get(entry.name));
      files.set(entry.name, file);
      seen.push([entry.name, file.hash]);
      if (!isCandidate) continue;
      if (entry.bytes > SOURCE_LIMIT) {
        report(`has ${(entry.bytes / 1024 / 1024).toFixed(1)} MB; a tool file may have 1 MB`);
      } else candidates.push(entry.name);
    } catch (error) {
      if (isCandidate) report(explain(error));
      seen.push([entry.name, "unreadable"]);
    }
  }
  return {
    root,
    files,
    seen: Object.fromEntries(seen),
    candidates,
    digest: hashOf(seen),
    library: libraryOf(files, candidates),
    problems,
    readable: listing.readable,
    stamp: listing.stamp,
  };
}

/** False when a file was added, removed or touched since `files` was read. */
export function isUnchanged(files: ToolFiles, directory: ToolDirectory): boolean {
  try {
    return Deno.realPathSync(directory.path) === files.root &&
      listDirectory(files.root, directory.origin === "user").stamp === files.stamp;
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
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    if (old.get(name) === now.get(name)) return [];
    if (!old.has(name)) return [`${name} was added`];
    return [now.has(name) ? `${name} was changed` : `${name} was removed`];
  });
}

function readFile(path: string, found: Found, known: KnownFile | undefined): KnownFile {
  const stamp = isYoung(found) ? "" : found.stamp;
  if (known !== undefined && stamp !== "" && known.stamp === stamp) return known;
  // What the system makes up while it is read has no size, and may never end.
  const content = found.bytes === 0 ? new Uint8Array() : Deno.readFileSync(path);
  return {
    stamp,
    hash: createHash("sha256").update(content).digest("hex"),
    mentions: found.bytes <= SOURCE_LIMIT ? mentionsOf(content) : [],
  };
}

function libraryOf(
  files: ReadonlyMap<string, KnownFile>,
  candidates: readonly string[],
): string {
  const mentioned = new Set([...files.values()].flatMap((file) => file.mentions));
  const tools = new Set(candidates.filter((name) => !mentioned.has(name)));
  return hashOf(
    [...files].filter(([name]) => !tools.has(name)).map(([name, { hash }]) => [name, hash]),
  );
}

function hashOf(entries: readonly (readonly [name: string, what: string])[]): string {
  const lines = entries.map(([name, what]) => `${name}\0${what}\n`);
  return createHash("sha256").update(lines.join("")).digest("hex");
}

/** Every string that ends like a module counts, wherever its path leads. */
function mentionsOf(content: Uint8Array): string[] {
  const text = new TextDecoder().decode(content);
  const names = [...text.matchAll(/([^/"'`\n]+\.m?ts)["'`]/g)].map(([, name = ""]) => name);
  return [...new Set(names.flatMap((name) => [name, decode(name)]))];
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function explain(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "cannot be read: permission denied";
  if (error instanceof Deno.errors.NotADirectory) return "is not a directory";
  return `cannot be read: ${messageOf(error)}`;
}
