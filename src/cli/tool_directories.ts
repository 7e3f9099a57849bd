/**
 * Where the tools are, and whether what was named is there.
 *
 * @module
 */

import { join } from "node:path";
import { MmError } from "../base/errors.ts";
import { resolvePath, userToolsDir } from "../config/paths.ts";
import type { ToolDirectory } from "../toolbox/toolbox.ts";
import type { Setup } from "./app_options.ts";
import type { Values } from "./values.ts";

/**
 * Where the tools of a session's directory are: the directories of `--tools`, else those that the
 * project's and the user's file name, each with `tools/` beside the file as its default.
 */
export function toolDirectories(
  { paths, cwd, config }: Setup,
  values: Values,
): (cwd: string) => ToolDirectory[] {
  if (values.has("no-tools")) return () => [];
  const given = givenDirectories(values);
  if (given.length > 0) return () => given.map((path) => ({ path, origin: "flag" }));
  const user = config.userTools ?? [userToolsDir(paths)];
  return (directory) => {
    const named = directory === cwd ? config.projectTools : undefined;
    const project = named ?? [join(directory, "tools")];
    return [
      ...project.map((path): ToolDirectory => ({ path, origin: "project" })),
      ...user.map((path): ToolDirectory => ({ path, origin: "user" })),
    ];
  };
}

/** One line for each directory that `--tools` or a configuration file names and that is none. */
export async function missingDirectories(setup: Setup, values: Values): Promise<string[]> {
  if (values.has("no-tools")) return [];
  const given = givenDirectories(values);
  const { userTools = [], projectTools = [] } = setup.config;
  const named = given.length > 0 ? given : [...projectTools, ...userTools];
  const lines = await Promise.all(named.map(async (path) => {
    const info = await Deno.stat(path).catch(() => undefined);
    const why = info === undefined ? "there is no such directory" : "it is not a directory";
    return info?.isDirectory === true ? [] : [`Cannot use the tools of ${path}: ${why}`];
  }));
  return lines.flat();
}

/**
 * The same where nobody looks at notices: what the command line names must be there, and what a
 * configuration file names is given back.
 *
 * @throws {MmError} `usage`
 */
export async function checkDirectories(setup: Setup, values: Values): Promise<string[]> {
  const missing = await missingDirectories(setup, values);
  const [first] = missing;
  if (first === undefined || !values.has("tools")) return missing;
  throw new MmError("usage", first, { hint: "Give an existing directory with --tools." });
}

function givenDirectories(values: Values): readonly string[] {
  return values.texts("tools").map((path) => resolvePath(path, Deno.cwd()));
}
