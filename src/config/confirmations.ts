/**
 * What the user has agreed to that a project's configuration file asks for.
 *
 * @module
 */

import { join } from "node:path";
import { isObject } from "../base/guards.ts";
import type { Paths } from "./paths.ts";
import type { ProjectRequest } from "./project_file.ts";
import { readState, updateState } from "./state_file.ts";

/** Digests by file. */
type Confirmations = Readonly<Record<string, string>>;

/** True when the user has agreed to exactly this request. An unreadable answer is a no. */
export async function isConfirmed(paths: Paths, request: ProjectRequest): Promise<boolean> {
  const all = await readState(stateFile(paths), parse, {}).catch((): Confirmations => ({}));
  return all[request.file] === request.digest;
}

/** Remembers that the user agrees; a later {@link loadConfig} then gives the whole file. */
export async function confirmProject(paths: Paths, request: ProjectRequest): Promise<void> {
  await updateState(stateFile(paths), parse, {}, (all) => ({
    ...all,
    [request.file]: request.digest,
  }));
}

function stateFile(paths: Paths): string {
  return join(paths.stateDir, "confirmations.json");
}

function parse(value: unknown): Confirmations | undefined {
  if (!isObject(value)) return undefined;
  const strings = Object.entries(value).every(([, digest]) => typeof digest === "string");
  return strings ? value as Confirmations : undefined;
}
