/**
 * Opening the tools of one session directory, and running them.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { isObject, type JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { ToolDescription, ToolResult } from "../model/tool_manifest.ts";
import { relative } from "node:path";
import { DirectoryTools } from "./directory_tools.ts";
import { failure } from "./host/answers.ts";
import { startHost } from "./host_command.ts";
import { resolvePermissions, workerPermissions } from "./permissions.ts";
import { readableBy } from "./readable.ts";
import { loadToolImports } from "./tool_config.ts";
import { sourceKey } from "./tool_files.ts";
import { listTools, type ToolList } from "./tool_list.ts";
import { ToolProcess } from "./tool_process.ts";
import type {
  LoadedTool,
  Toolbox,
  ToolboxOptions,
  ToolCallRequest,
  ToolLimits,
  ToolProblem,
} from "./toolbox.ts";

/** The limits that hold unless {@link ToolboxOptions.limits} says otherwise. */
export const DEFAULT_LIMITS: ToolLimits = {
  describeMs: 5_000,
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
  readonly #options: ToolboxOptions;
  readonly #limits: ToolLimits;
  readonly #directories: readonly DirectoryTools[];
  readonly #processes = new Map<string, { readonly key: string; readonly process: ToolProcess }>();
  /** Processes that still end. */
  readonly #retired = new Set<ToolProcess>();
  /** The tools by method as they were last offered. */
  #offered = new Map<string, LoadedTool>();
  #list: ToolList = { tools: [], problems: [] };
  #isClosed = false;

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    const describing = {
      cacheDir: options.cacheDir,
      limits: this.#limits,
      startHost: options.startHost ?? startHost,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const trustOfRun = options.trustOfRun ?? new Map();
    this.#directories = options.directories.map((directory) =>
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

  descriptions(): ToolDescription[] {
    return this.tools.map((tool) => tool.description);
  }

  async reload(): Promise<void> {
    for (const directory of this.#directories) await directory.load();
    this.#rebuild();
    this.#offered = new Map(this.tools.map((tool) => [tool.description.method, tool]));
    for (const file of this.#processes.keys()) this.#retire(file, "the tools were loaded again");
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
    for (const file of this.#processes.keys()) this.#retire(file, "the session is closed");
    await Promise.all([...this.#retired].map((process) => process.stop("the session is closed")));
  }

  async #run(request: ToolCallRequest, offered: LoadedTool, args: JsonObject): Promise<ToolResult> {
    const refuse = (reason: string) => failure(`${offered.name} was not run: ${reason}`);
    const { signal } = request;
    const deadline = Date.now() + offered.timeoutMs;
    for (let start = 0; start < STARTS; start++) {
      const found = await unlessAborted(this.#find(offered), signal);
      if (typeof found === "string") return refuse(found);
      const { tool, directory } = found;
      const { process, isNew } = this.#processFor(tool, directory);
      const { name, timeoutMs } = tool;
      const call = { ...request, tool: name, args, timeoutMs, deadline };
      if (!isNew) return await process.call(call);
      await this.#opened(process, signal, deadline);
      // What was loaded is what was read and agreed to only if nothing has changed up to now.
      if (directory.isCurrent()) return await process.call(call);
      this.#retire(tool.file, "its files changed while it was loaded");
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
      const problem = this.problems.find(({ file }) => file === offered.file);
      if (problem === undefined) {
        return "it is no longer there; the user can reload with /tools reload";
      }
      const line = problem.line === undefined ? "" : `:${problem.line}`;
      return `${problem.file}${line}: ${problem.reason}`;
    }
    return directory.refuse(relative(directory.files.root, tool.file)) ?? { tool, directory };
  }

  #processFor(tool: LoadedTool, { files, described }: DirectoryTools) {
    const name = relative(files.root, tool.file);
    const key = `${sourceKey(files, name)} ${JSON.stringify(tool.permissions)}`;
    const known = this.#processes.get(tool.file);
    if (known?.key === key && known.process.lost === undefined) {
      return { process: known.process, isNew: false };
    }
    this.#retire(tool.file, "its file was changed");
    const { cwd } = this.#options;
    const readable = readableBy(files);
    const permissions = resolvePermissions(tool.permissions, cwd);
    const { imports } = loadToolImports(files.root);
    const spec = (this.#options.startHost ?? startHost)({
      cwd,
      readable,
      permissions,
      imports,
      blind: false,
    });
    const tools = described.files.get(name)?.tools ?? [];
    const schemas = tools.flatMap(({ name, inputSchema }) =>
      inputSchema === undefined ? [] : [[name, inputSchema] as const]
    );
    const process = new ToolProcess(spec, {
      task: "serve",
      file: tool.file,
      cwd,
      permissions: workerPermissions(permissions, readable),
      schemas: Object.fromEntries(schemas),
    }, this.#limits);
    this.#processes.set(tool.file, { key, process });
    return { process, isNew: true };
  }

  /** Waits until a new process has loaded its file; one that was cancelled meanwhile is ended. */
  async #opened(process: ToolProcess, signal: AbortSignal, deadline: number): Promise<void> {
    try {
      await unlessAborted(within(process.opening, Math.max(0, deadline - Date.now())), signal);
    } catch (error) {
      await process.stop("its first call was cancelled");
      throw error;
    }
  }

  #retire(file: string, reason: string): void {
    const process = this.#processes.get(file)?.process;
    if (process === undefined) return;
    this.#processes.delete(file);
    this.#retired.add(process);
    process.retire(reason);
    void process.ended.then(() => this.#retired.delete(process));
  }

  #rebuild(): void {
    this.#list = listTools(this.#directories.filter((directory) => !directory.isUntrusted));
  }
}

/** The value, unless the signal aborts first: then the error that answers a cancelled request. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = () => new RpcError(RPC.requestCancelled, "Request cancelled");
  if (signal.aborted) throw cancelled();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(cancelled());
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
