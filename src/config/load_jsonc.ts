/**
 * Loading of JSONC files. The parser is loaded with the first file that is there: most runs have none.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import type { JsoncFile } from "./jsonc_file.ts";

/**
 * Loads a JSONC file.
 *
 * @returns `undefined` when there is no such file.
 * @throws {MmError} `config` for what is not a readable file, and for broken JSONC with its line and
 * column.
 */
export async function loadJsonc(path: string): Promise<JsoncFile | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const { parseJsonc } = await import("./jsonc_file.ts");
  return parseJsonc(path, text);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    // Opening a pipe or a device in the file's place could wait for ever.
    const info = await Deno.stat(path);
    if (!info.isFile) throw notAFile(path, info.isDirectory ? "it is a directory" : "not a file");
    return new TextDecoder().decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    if (error instanceof MmError) throw error;
    const denied = error instanceof Deno.errors.PermissionDenied;
    throw notAFile(path, denied ? "permission denied" : String(error), error);
  }
}

function notAFile(path: string, reason: string, cause?: unknown): MmError {
  return new MmError("config", `Cannot read ${path}: ${reason}`, { cause });
}
