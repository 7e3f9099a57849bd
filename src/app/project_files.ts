/**
 * The files of a directory that a person may want to mention.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { join } from "node:path";

/** Files that are looked at, at most. */
const MAX_FILES = 50_000;

/** Directories that are read without git, at most. */
const MAX_DIRECTORIES = 5_000;

/** Bound of git, in milliseconds. */
const GIT_MS = 3_000;

/** How long a list is good, in milliseconds. */
const FRESH_MS = 5_000;

/** Left out where git is not there to say so. */
const SKIPPED = new Set(["node_modules", "target", "dist", "__pycache__"]);

/** The files and directories below a directory, read when they are wanted and kept a few seconds. */
export class ProjectFiles {
  readonly #clock: Clock;
  #cwd = "";
  #readAt = -Infinity;
  #reading: Promise<readonly string[]> = Promise.resolve([]);

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Paths relative to `cwd`, directories with a slash at the end. What git ignores is left out; with
   * no git, hidden files and the usual build directories are. Never rejects; bounded.
   */
  list(cwd: string): Promise<readonly string[]> {
    const now = this.#clock.now();
    if (this.#cwd !== cwd || now - this.#readAt > FRESH_MS) {
      this.#cwd = cwd;
      this.#readAt = now;
      this.#reading = loadFiles(cwd).catch(() => []);
    }
    return this.#reading;
  }
}

async function loadFiles(cwd: string): Promise<readonly string[]> {
  const files = await listWithGit(cwd) ?? await walk(cwd);
  return [...directoriesOf(files), ...files];
}

function directoriesOf(files: readonly string[]): Set<string> {
  const directories = new Set<string>();
  for (const file of files) {
    for (let slash = file.indexOf("/"); slash !== -1; slash = file.indexOf("/", slash + 1)) {
      directories.add(file.slice(0, slash + 1));
    }
  }
  return directories;
}

async function listWithGit(cwd: string): Promise<readonly string[] | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      // A repository's own settings may name a program to run: not for a completion.
      args: ["-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z"],
      cwd,
      env: { GIT_OPTIONAL_LOCKS: "0" },
      stdin: "null",
      stderr: "null",
      signal: AbortSignal.timeout(GIT_MS),
    }).output();
    if (!success) return undefined;
    const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
    return [...new Set(names)].slice(0, MAX_FILES);
  } catch {
    return undefined;
  }
}

async function walk(cwd: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [""];
  for (let read = 0; read < MAX_DIRECTORIES && files.length < MAX_FILES; read++) {
    const directory = waiting.shift();
    if (directory === undefined) break;
    try {
      for await (const { name, isDirectory } of Deno.readDir(join(cwd, directory))) {
        if (name.startsWith(".") || SKIPPED.has(name)) continue;
        if (isDirectory) waiting.push(`${directory}${name}/`);
        else files.push(`${directory}${name}`);
      }
    } catch {
      // What cannot be read is not proposed.
    }
  }
  return files.sort();
}
