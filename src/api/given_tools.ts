/**
 * The tools that a program gives a client: directories, and definitions of its own.
 *
 * @module
 */

import { resolve } from "node:path";
import { MmError } from "../base/errors.ts";
import { findPaths, trustFile } from "../config/paths.ts";
import type { AnyToolDefinition } from "../toolbox/tool.ts";
import type { Toolbox, ToolDirectory } from "../toolbox/toolbox.ts";

/** Loaded only where tools are given: a client without any needs none of it. */
const loadProgramTools = () => import("../toolbox/program_tools.ts");
const loadDirectoryTools = () => import("../toolbox/open_toolbox.ts");
const loadJoining = () => import("../toolbox/joined_toolbox.ts");

/**
 * How the toolbox of a session directory is opened; `undefined` without any tools. Definitions come
 * before tools of the same name in a directory. Directories are the program's own choice: nobody is
 * asked whether they are trusted.
 *
 * @throws {MmError} `usage` for a definition that cannot be offered and a directory that is not there
 */
export async function toolboxOpener(
  tools: readonly (string | AnyToolDefinition)[],
): Promise<((cwd: string) => Promise<Toolbox>) | undefined> {
  if (tools.length === 0) return undefined;
  const definitions = tools.filter((tool) => typeof tool !== "string");
  const directories = tools.filter((tool) => typeof tool === "string")
    .map((path): ToolDirectory => ({ path: resolve(path), origin: "flag" }));
  for (const { path } of directories) await checkDirectory(path);
  const openers = [
    ...(definitions.length === 0 ? [] : [await definitionOpener(definitions)]),
    ...(directories.length === 0 ? [] : [directoryOpener(directories)]),
  ];
  const [first] = openers;
  if (openers.length === 1) return first;
  const { joinToolboxes } = await loadJoining();
  return async (cwd) => joinToolboxes(await Promise.all(openers.map((open) => open(cwd))));
}

async function checkDirectory(path: string): Promise<void> {
  const info = await Deno.stat(path).catch(() => undefined);
  if (info?.isDirectory) return;
  throw new MmError("usage", `Cannot offer the tools of ${path}: there is no such directory`);
}

async function definitionOpener(definitions: readonly AnyToolDefinition[]) {
  const { checkProgramTools, openProgramTools } = await loadProgramTools();
  const checked = checkProgramTools(definitions);
  return (cwd: string) => Promise.resolve(openProgramTools(checked, cwd));
}

function directoryOpener(directories: readonly ToolDirectory[]) {
  return async (cwd: string) => {
    const { openToolbox } = await loadDirectoryTools();
    const paths = findPaths();
    return await openToolbox({
      cwd,
      directories,
      trustAll: true,
      cacheDir: paths.cacheDir,
      trustFile: trustFile(paths),
    });
  };
}
