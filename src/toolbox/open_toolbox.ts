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
import { isFullAccess, resolvePermissions, workerPermissions } from "./permissions.ts";
import { prepareLoaderDirectory } from "./loader_directory.ts";
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
  ToolDirectory,
  ToolLimits,
  ToolProblem,
} from "./toolbox.ts";

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

/** The process of a file. */
interface Serving {
  /** Of what it was started for. */
  readonly key: string;
  readonly process: ToolProcess;
  /** Settles when the file is loaded, or cannot be: whether it is still what was read. */
  readonly isLoaded: Promise<boolean>;
  /** Calls that wait for that. */
  waiting: number;
}

class OpenToolbox implements Toolbox {
  readonly #options: ToolboxOptions;
  readonly #limits: ToolLimits;
  readonly #directories: readonly DirectoryTools[];
  /** By file. */
  readonly #processes = new Map<string, Serving>();
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
    this.#retireAll("the tools were loaded again");
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
    this.#retireAll("the session is closed");
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
      const serving = this.#serving(tool, directory);
      const { name, timeoutMs } = tool;
      if (await this.#isLoaded(tool.file, serving, signal, deadline) !== false) {
        return await serving.process.call({ ...request, tool: name, args, timeoutMs, deadline });
      }
      this.#retire(tool.file, serving, "its files changed while it was loaded");
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

  /** The process of a tool's file: a new one where there is none for the file as it is now. */
  #serving(tool: LoadedTool, directory: DirectoryTools): Serving {
    const { files, described } = directory;
    const name = relative(files.root, tool.file);
    const key = JSON.stringify([sourceKey(files, name), tool.permissions, files.readable]);
    const before = this.#processes.get(tool.file);
    if (before?.key === key && before.process.lost === undefined) return before;
    if (before !== undefined) this.#retire(tool.file, before, "its file was changed");
    const { cwd, cacheDir } = this.#options;
    const permissions = resolvePermissions(tool.permissions, cwd);
    const spec = (this.#options.startHost ?? startHost)({
      cwd,
      root: files.root,
      permissions,
      imports: loadToolImports(files).imports,
      // Programs that the tool runs may be Deno's own.
      loaderDir: isFullAccess(permissions) ? undefined : prepareLoaderDirectory(cacheDir),
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
      permissions: workerPermissions(permissions, readableBy(files)),
      schemas: Object.fromEntries(schemas),
      grants: {},
    }, this.#limits);
    // What was loaded is what was read and agreed to only if nothing has changed up to now.
    const isLoaded = process.opening.then(() => directory.isCurrent());
    const serving = { key, process, isLoaded, waiting: 0 };
    this.#processes.set(tool.file, serving);
    return serving;
  }

  /**
   * Waits until a process has loaded its file, and tells whether that is still what it was; or until
   * the time of the call is over: then `undefined`. A process that nobody waits for any more is ended.
   */
  async #isLoaded(
    file: string,
    serving: Serving,
    signal: AbortSignal,
    deadline: number,
  ): Promise<boolean | undefined> {
    serving.waiting++;
    try {
      const timed = await unlessAborted(
        within(serving.isLoaded, Math.max(0, deadline - Date.now())),
        signal,
      );
      return timed.ok ? timed.value : undefined;
    } catch (error) {
      if (serving.waiting === 1) this.#retire(file, serving, "its first call was cancelled");
      throw error;
    } finally {
      serving.waiting--;
    }
  }

  #retire(file: string, { process }: Serving, reason: string): void {
    if (this.#processes.get(file)?.process === process) this.#processes.delete(file);
    this.#retired.add(process);
    process.retire(reason);
    void process.ended.then(() => this.#retired.delete(process));
  }

  #retireAll(reason: string): void {
    for (const [file, serving] of this.#processes) this.#retire(file, serving, reason);
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
