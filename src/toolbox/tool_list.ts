/**
 * From described files to the list of tools that is offered.
 *
 * @module
 */

import { modelToolName } from "../model/tool_manifest.ts";
import { basename, join, parse } from "node:path";
import type { DirectoryDescription } from "./describe.ts";
import type { DescribedTool } from "./description.ts";
import type { ToolFiles } from "./tool_files.ts";
import type { LoadedTool, ToolDirectory, ToolProblem } from "./toolbox.ts";

/** A directory whose tools may be offered. */
export interface OfferedDirectory {
  readonly directory: ToolDirectory;
  readonly files: ToolFiles;
  readonly described: DirectoryDescription;
}

/** The tools, sorted by model name, and those that another one's name keeps out. */
export interface ToolList {
  readonly tools: readonly LoadedTool[];
  readonly problems: readonly ToolProblem[];
}

/**
 * Of tools with the same model name, one whose file has that name comes first, then the one of the
 * earlier directory and file.
 */
export function listTools(directories: readonly OfferedDirectory[]): ToolList {
  const all = directories.flatMap(loadedTools);
  const isNamedByFile = (tool: LoadedTool) => tool.name === parse(tool.file).name;
  const byClaim = [
    ...all.filter(isNamedByFile),
    ...all.filter((tool) => !isNamedByFile(tool)),
  ];
  const taken = new Map<string, LoadedTool>();
  const problems: ToolProblem[] = [];
  for (const tool of byClaim) {
    const first = taken.get(tool.modelName);
    if (first === undefined) {
      taken.set(tool.modelName, tool);
      continue;
    }
    const where = first.directory === tool.directory ? basename(first.file) : first.file;
    const reason =
      `its tool "${tool.name}" would be ${tool.modelName} to the model, as is "${first.name}" of ${where}`;
    problems.push({ file: tool.file, reason });
  }
  const tools = [...taken.values()].sort((a, b) => a.modelName < b.modelName ? -1 : 1);
  return { tools, problems };
}

function loadedTools({ directory, files, described }: OfferedDirectory): LoadedTool[] {
  return [...described.files].flatMap(([name, { tools, permissions }]) =>
    tools.map((tool): LoadedTool => ({
      ...offeredTool(tool),
      permissions,
      file: join(files.root, name),
      directory,
    }))
  );
}

/** A described tool with its names on the wire and to the model. */
export function offeredTool(
  { name, description, inputSchema, timeoutMs }: DescribedTool,
): Pick<LoadedTool, "name" | "modelName" | "description" | "timeoutMs"> {
  const modelName = modelToolName(name);
  const method = `_org.mini-me.repl/tools/${modelName.replace(/^client_/, "")}`;
  return {
    name,
    modelName,
    description: {
      name,
      description,
      method,
      ...(inputSchema === undefined ? {} : { inputSchema }),
    },
    timeoutMs,
  };
}
