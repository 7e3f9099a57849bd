/**
 * Small private JSON files that several running programs share: what we remember between runs.
 *
 * A write holds an operating-system lock on `<path>.lock` for as long as it takes and no longer, so
 * there are no stale locks: the system gives the lock back when its holder ends, whatever the lock
 * file says. The empty lock file stays, because removing it would let two writers lock two files.
 *
 * @module
 */

import { dirname } from "node:path";
import { messageOf, MmError } from "../base/errors.ts";
import { replaceFile } from "./replace_file.ts";

/** How long a write waits for another program's write, in milliseconds. */
const LOCK_WAIT_MS = 5_000;

/** Pause between two attempts to get the lock, in milliseconds. */
const LOCK_RETRY_MS = 10;

/** Narrows what was read; `undefined` means that it is not what we wrote. */
export type StateParser<T> = (value: unknown) => T | undefined;

/**
 * Reads a state file. A missing, empty or damaged one gives `fallback`; nothing on the disk changes.
 *
 * @throws {MmError} `config` when the file is there and cannot be read.
 */
export async function readState<T>(
  path: string,
  parse: StateParser<T>,
  fallback: T,
): Promise<T> {
  const read = await readRaw(path, parse);
  return read.kind === "good" ? read.value : fallback;
}

/**
 * Changes a state file: reads it under the lock, writes what `change` makes of it (mode 0600, by
 * renaming a complete file into place) and gives that back. A damaged file is first set aside as
 * `<path>.damaged`. When `change` throws, the file stays as it is.
 *
 * @throws {MmError} `config` when the file cannot be read or written (a read-only directory, a full
 * disk), or another program holds the lock for more than five seconds.
 */
export async function updateState<T>(
  path: string,
  parse: StateParser<T>,
  fallback: T,
  change: (value: T) => T,
): Promise<T> {
  using _lock = await lock(path);
  const read = await readRaw(path, parse);
  const next = change(read.kind === "good" ? read.value : fallback);
  if (read.kind === "damaged") await asStateError(path, Deno.rename(path, `${path}.damaged`));
  const text = `${JSON.stringify(next, null, 2)}\n`;
  await asStateError(path, replaceFile(path, text, { mode: 0o600, enforceMode: true }));
  return next;
}

type Read<T> =
  | { readonly kind: "good"; readonly value: T }
  | { readonly kind: "none" }
  | { readonly kind: "damaged" };

async function readRaw<T>(path: string, parse: StateParser<T>): Promise<Read<T>> {
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { kind: "none" };
    throw stateError("read", path, error);
  }
  if (text.trim() === "") return { kind: "none" };
  try {
    const value = parse(JSON.parse(text));
    return value === undefined ? { kind: "damaged" } : { kind: "good", value };
  } catch {
    return { kind: "damaged" };
  }
}

async function lock(path: string): Promise<Disposable> {
  const file = await asStateError(path, openLock(path));
  const deadline = performance.now() + LOCK_WAIT_MS;
  try {
    while (!await asStateError(path, file.tryLock(true))) {
      if (performance.now() > deadline) {
        throw new MmError("config", `Cannot write ${path}: another program keeps it locked`, {
          hint: "End the other mm-repl that hangs, then try again.",
        });
      }
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  } catch (error) {
    file.close();
    throw error;
  }
  return file;
}

async function openLock(path: string): Promise<Deno.FsFile> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return await Deno.open(`${path}.lock`, { write: true, create: true, mode: 0o600 });
}

async function asStateError<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw stateError("write", path, error);
  }
}

function stateError(verb: "read" | "write", path: string, error: unknown): MmError {
  return new MmError("config", `Cannot ${verb} ${path}: ${reasonOf(error)}`, {
    hint: "What mm-repl remembers between runs lives there; check the owner and mode of the path.",
    cause: error,
  });
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotADirectory) return "a part of the path is not a directory";
  if (error instanceof Deno.errors.IsADirectory) return "a directory is in its place";
  return messageOf(error);
}
