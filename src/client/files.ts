/**
 * Answers `fs/read_text_file` and `fs/write_text_file`, within the session's directories.
 *
 * @module
 */

import type { FileHandle } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { messageOf } from "../base/errors.ts";
import { asObject, asString } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import { writeReplacement } from "../config/replace_file.ts";
import { unlessAborted } from "./aborted.ts";
import { isInside, isStillAt, realTarget } from "./confine.ts";
import { readWindow } from "./file_window.ts";
import type { Objection } from "./objection.ts";
import type { CallContext, MethodRouter } from "./router.ts";

/**
 * A question about a file outside the session's directories.
 *
 * ```ts
 * import type { OutsideFileRequest } from "@mm/repl";
 *
 * const mayReadEtc = ({ path, access }: OutsideFileRequest) =>
 *   Promise.resolve(access === "read" && path.startsWith("/etc/"));
 * ```
 */
export interface OutsideFileRequest {
  /** The session that asks. */
  readonly sessionId: string;
  /** Where the path really leads, links followed. */
  readonly path: string;
  /** As the agent named it. */
  readonly named: string;
  /** What the agent wants to do. */
  readonly access: "read" | "write";
  /** Aborts when the agent takes its request back, and when the connection ends. */
  readonly signal: AbortSignal;
}

/** A file that the agent has written. */
export interface FileWriting {
  readonly sessionId: string;
  /** As the agent named it, absolute. */
  readonly path: string;
  readonly change: "created" | "changed";
  /** What was in the file; absent for a new one, and where it was no text or too large. */
  readonly oldText?: string;
  /** What is in the file now; absent where it is too large. */
  readonly newText?: string;
  /** Size of what was written. */
  readonly bytes: number;
}

/** How the file requests are answered. */
export interface FileOptions {
  /** The directories of a session, absolute; `undefined` for a session that is not ours. */
  readonly roots: (sessionId: string) => readonly string[] | undefined;
  /** Largest text that is read, in bytes. Default 10 MiB. */
  readonly maxBytes?: number;
  /** Asked about a file outside the directories; absent: refused. */
  readonly onOutside?: (request: OutsideFileRequest) => Promise<boolean>;
  /** Asked about a file inside the directories; absent: nothing stands against it. */
  readonly objection?: Objection;
  /** Told about every file that was written. Must not throw. */
  readonly onWritten?: (writing: FileWriting) => void;
}

type Access = "read" | "write";

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;
/** Larger texts are not told to those who are told what was written. */
const TOLD_BYTES = 1024 * 1024;
/** Longer paths are cut in what we say about them, in characters. */
const NAMED_LENGTH = 300;

/** Errors of the system that another try would not mend, by its word for them. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "the system does not permit it"],
  ["ELOOP", "it does not lead to a file"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ENOSPC", "the file system is full"],
  ["ENXIO", "it is not a regular file"],
  ["EROFS", "the file system can only be read"],
]);

/** Registers `fs/read_text_file`. */
export function registerFileReading(router: MethodRouter, options: FileOptions): void {
  router.register("fs/read_text_file", (params, context) => read(params, context, options));
}

/** Registers `fs/write_text_file`. */
export function registerFileWriting(router: MethodRouter, options: FileOptions): void {
  router.register("fs/write_text_file", (params, context) => write(params, context, options));
}

async function read(
  params: unknown,
  context: CallContext,
  options: FileOptions,
): Promise<{ content: string }> {
  const raw = asObject(params);
  const line = wholeNumber(raw.line, "line", 1) ?? 1;
  const limit = wholeNumber(raw.limit, "limit", 0);
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const path = pathOf(raw.path);
  return await explained("read", path, async () => {
    const real = await admit(raw.sessionId, path, "read", context, options);
    await refuseOtherThanFile(real, path);
    await using file = await openAtOnce(real, "read");
    if (!await isStillAt(file, real)) {
      throw refused("read", path, "it changed while it was opened");
    }
    const bytes = await readWindow(file, { line, limit, maxBytes });
    if (bytes === undefined) {
      throw refused(
        "read",
        path,
        `it is larger than the limit of ${maxBytes} bytes; ask for some of its lines`,
      );
    }
    if (bytes.includes(0)) throw refused("read", path, "it is a binary file");
    return { content: decode(bytes, path) };
  });
}

async function write(
  params: unknown,
  context: CallContext,
  options: FileOptions,
): Promise<null> {
  const raw = asObject(params);
  const path = pathOf(raw.path);
  const content = asString(raw.content);
  if (content === undefined) throw new RpcError(RPC.invalidParams, "content must be a string");
  return await explained("write", path, async () => {
    if (path.endsWith("/")) throw refused("write", path, "it names a directory");
    const real = await admit(raw.sessionId, path, "write", context, options);
    const before = await statOrNothing(real);
    if (before !== undefined) {
      await refuseOtherThanFile(real, path);
      // A file that we may not write is not to be replaced by one that we may.
      await (await openAtOnce(real, "write")).close();
    }
    const oldText = before === undefined || options.onWritten === undefined
      ? undefined
      : await textBefore(real, before.size);
    const directory = dirname(real);
    await Deno.mkdir(directory, { recursive: true });
    const temporary = `${directory}/.mm-repl-${crypto.randomUUID()}.tmp`;
    try {
      await writeReplacement(temporary, content, before);
      // Nobody may have led the directory elsewhere meanwhile.
      if (await Deno.realPath(temporary) !== temporary || await realTarget(real) !== real) {
        throw refused("write", path, "its directory changed while it was written");
      }
      await Deno.rename(temporary, real);
    } catch (error) {
      await Deno.remove(temporary).catch(() => {});
      throw error;
    }
    const bytes = new TextEncoder().encode(content).length;
    options.onWritten?.({
      sessionId: String(raw.sessionId),
      path,
      change: before === undefined ? "created" : "changed",
      ...(oldText === undefined ? {} : { oldText }),
      ...(bytes > TOLD_BYTES ? {} : { newText: content }),
      bytes,
    });
    return null;
  });
}

/** Opens a file; never waits for the other end of what has taken its place meanwhile. */
async function openAtOnce(real: string, access: Access): Promise<FileHandle> {
  // Only this can say so, and it takes long to load.
  const { constants, open } = await import("node:fs/promises");
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
  return await open(real, (access === "read" ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_NOFOLLOW);
}

/** What is in a file that is about to be replaced, when it is text of moderate size. */
async function textBefore(path: string, size: number): Promise<string | undefined> {
  if (size > TOLD_BYTES) return undefined;
  try {
    await using file = await openAtOnce(path, "read");
    const bytes = await readWindow(file, { line: 1, maxBytes: TOLD_BYTES });
    if (bytes === undefined || bytes.includes(0)) return undefined;
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The real path of a file that the session may touch; throws when it may not. */
async function admit(
  session: unknown,
  path: string,
  access: Access,
  context: CallContext,
  options: FileOptions,
): Promise<string> {
  const sessionId = asString(session);
  const roots = sessionId === undefined ? undefined : options.roots(sessionId);
  if (sessionId === undefined || roots === undefined) {
    throw new RpcError(RPC.invalidParams, `Cannot ${access} ${path}: unknown session`, {
      sessionId: session ?? null,
    });
  }
  const real = await realTarget(path);
  const wanted = { sessionId, path: real, named: path, access, signal: context.signal };
  if (await isInside(real, roots)) {
    const asked = options.objection?.({ type: "file", ...wanted });
    const why = asked === undefined ? undefined : await unlessAborted(asked, context.signal);
    if (why !== undefined) throw refused(access, path, why);
    return real;
  }
  const asked = options.onOutside?.(wanted);
  if (asked !== undefined && await unlessAborted(asked, context.signal)) return real;
  throw refused(access, path, "it is outside the session's directories");
}

async function refuseOtherThanFile(real: string, path: string): Promise<void> {
  const info = await Deno.stat(real);
  if (info.isDirectory) throw refused("open", path, "it is a directory");
  if (!info.isFile) throw refused("open", path, "it is not a regular file");
}

async function statOrNothing(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function pathOf(value: unknown): string {
  const path = asString(value);
  if (path === undefined || !isAbsolute(path) || path.includes("\0")) {
    throw new RpcError(RPC.invalidParams, "path must be an absolute path");
  }
  return path;
}

/** A whole number of at least `least`, or `undefined` when it is absent or `null`. */
function wholeNumber(value: unknown, name: string, least: number): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least) {
    throw new RpcError(RPC.invalidParams, `${name} must be a whole number of at least ${least}`);
  }
  return value;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused("read", path, "it is not UTF-8 text");
  }
}

/** Runs `work`; what the system says when it fails becomes an error that the agent can read. */
async function explained<T>(access: Access, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (error instanceof Deno.errors.NotFound || codeOf(error) === "ENOENT") {
      // Agents look for these words, the protocol library's own, before they create a file.
      throw new RpcError(
        RPC.resourceNotFound,
        `Resource not found: ${path}: cannot ${access} it, there is no such file`,
        { uri: path, path },
      );
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw refused(access, path, "the system does not permit it");
    }
    if (
      error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.FilesystemLoop
    ) {
      throw refused(access, path, "it does not lead to a file");
    }
    const why = REFUSALS.get(codeOf(error) ?? "");
    if (why !== undefined) throw refused(access, path, why);
    throw new RpcError(
      RPC.internalError,
      `Cannot ${access} ${shortened(path)}: ${messageOf(error)}`,
    );
  }
}

/** The system's own word for what went wrong, e.g. `EROFS`. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? asString(error.code) : undefined;
}

function shortened(path: string): string {
  return path.length <= NAMED_LENGTH ? path : `${path.slice(0, NAMED_LENGTH)}…`;
}

function refused(access: Access | "open", path: string, why: string): RpcError {
  return new RpcError(RPC.invalidParams, `Cannot ${access} ${shortened(path)}: ${why}`);
}
