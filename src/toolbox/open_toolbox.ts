/**
 * Opening the tools of one session directory, and running them.
 *
 * @module
 */

import { isObject, type JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { ToolDescription, ToolResult } from "../model/tool_manifest.ts";
import { relative } from "node:path";
import { DirectoryTools } from "./directory_tools.ts";
import { failure } from "./host/answers.ts";
import { startHost } from "./host_command.ts";
import { listTools, type ToolList } from "./tool_list.ts";
import { ToolProcesses } from "./tool_processes.ts";
import type {
  LoadedTool,
  Toolbox,
  ToolboxOptions,
  ToolCallRequest,
  ToolDirectory,
  ToolLimits,
  ToolProblem,
} from "./toolbox.ts";
import { unlessAborted } from "./unless_aborted.ts";

/** The limits that hold unless {@link ToolboxOptions.limits} says otherwise. */
export const DEFAULT_LIMITS: ToolLimits = {
  describeMs: 5_000,
  longMs: 5_000,
  graceMs: 500,
  memoryBytes: 1024 * 1024 * 1024,
};

/** Starts of a process for one call, when its files change while it starts. */
const STARTS = 3;

/**
 * Reads the tool files of a session directory, describes them and settles who is trusted. Resolves
 * with every good tool ready to be offered; what is wrong with the others is in `problems`.
 */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const toolbox = new OpenToolbox(options);
  await toolbox.reload();
  return toolbox;
}

class OpenToolbox implements Toolbox {
  readonly #directories: readonly DirectoryTools[];
  readonly #processes: ToolProcesses;
  /** The tools by method as they were last offered. */
  #offered = new Map<string, LoadedTool>();
  #list: ToolList = { tools: [], problems: [] };
  #isClosed = false;

  constructor(options: ToolboxOptions) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#processes = new ToolProcesses(options, limits);
    const describing = {
      cacheDir: options.cacheDir,
      limits,
      startHost: options.startHost ?? startHost,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      ...(options.onLong === undefined ? {} : { onLong: options.onLong }),
    };
    const trustOfRun = options.trustOfRun ?? new Map();
    this.#directories = uniqueDirectories(options.directories).map((directory) =>
      new DirectoryTools(directory, options, describing, trustOfRun)
    );
  }

  get tools(): readonly LoadedTool[] {
    return this.#list.tools;
  }

  get problems(): readonly ToolProblem[] {
    const ofFiles = this.#directories.flatMap((directory) =>
      directory.isUntrusted ? [] : directory.described.problems
    );
    return [...ofFiles, ...this.#list.problems];
  }

  get untrusted(): readonly string[] {
    return this.#directories.filter((directory) => directory.awaitsTrust())
      .map((directory) => directory.files.root);
  }

  refusal({ directory: { path }, file }: LoadedTool): string | undefined {
    const directory = this.#directories.find((known) => known.directory.path === path);
    return directory?.refuseNow(relative(directory.files.root, file));
  }

  descriptions(): ToolDescription[] {
    return this.tools.map((tool) => tool.description);
  }

  offered(method: string): LoadedTool | undefined {
    return this.#offered.get(method);
  }

  async reload(): Promise<void> {
    for (const directory of this.#directories) await directory.load();
    this.#rebuild();
    this.#offered = new Map(this.tools.map((tool) => [tool.description.method, tool]));
    this.#processes.retireAll("the tools were loaded again");
  }

  async call(request: ToolCallRequest): Promise<ToolResult> {
    const offered = this.#offered.get(request.method);
    if (offered === undefined) {
      throw new RpcError(RPC.methodNotFound, `No tool has the method ${request.method}`);
    }
    const { params = {} } = request;
    if (!isObject(params)) {
      throw new RpcError(RPC.invalidParams, "The params of a tool call must be an object");
    }
    const { _meta, ...args } = params;
    return await this.#run(request, offered, args);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#processes.stop("the session is closed");
  }

  async #run(request: ToolCallRequest, offered: LoadedTool, args: JsonObject): Promise<ToolResult> {
    const refuse = (reason: string) => failure(`${offered.name} was not run: ${reason}`);
    const { signal } = request;
    const deadline = performance.now() + offered.timeoutMs;
    for (let start = 0; start < STARTS; start++) {
      const found = await unlessAborted(this.#find(offered), signal);
      if (typeof found === "string") return refuse(found);
      const { tool, directory } = found;
      const process = await this.#processes.loaded(tool, directory, { signal, deadline });
      const { name, timeoutMs } = tool;
      const call = { ...request, tool: name, args, timeoutMs, deadline };
      if (process !== undefined) return await process.call(call);
    }
    return refuse("its files keep changing");
  }

  /** The tool as its files are now, or why it cannot be run. */
  async #find(
    offered: LoadedTool,
  ): Promise<{ readonly tool: LoadedTool; readonly directory: DirectoryTools } | string> {
    if (this.#isClosed) return "the session is closed";
    const directory = this.#directories.find((known) => known.directory === offered.directory);
    if (directory === undefined) return "its directory is gone";
    const before = directory.described;
    const refusal = await directory.refresh();
    if (refusal !== undefined) return refusal;
    if (directory.described !== before) this.#rebuild();
    const tool = this.tools.find(({ description }) =>
      description.method === offered.description.method
    );
    if (tool === undefined || tool.directory !== offered.directory) {
      const problem = this.problems.find(({ file, harmless }) =>
        file === offered.file && harmless !== true
      );
      if (problem === undefined) {
        return "it is no longer there; the user can reload with /tools reload";
      }
      const line = problem.line === undefined ? "" : `:${problem.line}`;
      return `${problem.file}${line}: ${problem.reason}`;
    }
    return directory.refuse(relative(directory.files.root, tool.file)) ?? { tool, directory };
  }

  #rebuild(): void {
    this.#list = listTools(this.#directories.filter((directory) => !directory.isUntrusted));
  }
}

/** Each directory once, by whatever path: what is the user's own stays so. */
function uniqueDirectories(directories: readonly ToolDirectory[]): ToolDirectory[] {
  const known = new Map<string, ToolDirectory>();
  for (const directory of directories) {
    const path = resolveLinks(directory.path);
    if (!known.has(path) || directory.origin === "user") known.set(path, directory);
  }
  return [...known.values()];
}

function resolveLinks(path: string): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    return path;
  }
}
