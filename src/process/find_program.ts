/**
 * Where the system would find a program.
 *
 * @module
 */

import { delimiter, resolve } from "node:path";

/** Where to look. */
export interface ProgramPlaces {
  /** Directory that relative paths start at, absolute. */
  readonly cwd: string;
  /** Default: the `PATH` of this process. */
  readonly path?: string;
}

/**
 * The absolute path of the program that `command` names: itself when it has a slash, else the first
 * executable file of that name on the path. `undefined` when there is none.
 */
export async function findProgram(
  command: string,
  { cwd, path = Deno.env.get("PATH") ?? "" }: ProgramPlaces,
): Promise<string | undefined> {
  const directories = command.includes("/") ? [""] : path.split(delimiter);
  for (const directory of directories) {
    const candidate = resolve(cwd, directory, command);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  const info = await Deno.stat(path).catch(() => undefined);
  return info?.isFile === true && (info.mode === null || (info.mode & 0o111) !== 0);
}
