/**
 * The processes of one toolbox: one for each tool file that was called.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { relative } from "node:path";
import type { DirectoryTools } from "./directory_tools.ts";
import { startHost } from "./host_command.ts";
import { prepareLoaderDirectory } from "./loader_directory.ts";
import { isFullAccess, resolvePermissions, workerPermissions } from "./permissions.ts";
import { readableBy } from "./readable.ts";
import { loadToolImports } from "./tool_config.ts";
import { sourceKey } from "./tool_files.ts";
import { ToolProcess } from "./tool_process.ts";
import type { LoadedTool, ToolboxOptions, ToolLimits } from "./toolbox.ts";
import { unlessAborted } from "./unless_aborted.ts";

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

/** How long a call waits for its process. */
export interface LoadingBound {
  readonly signal: AbortSignal;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
}

/** Starts processes when they are needed, and ends those whose files have changed. */
export class ToolProcesses {
  readonly #options: Pick<ToolboxOptions, "cwd" | "cacheDir" | "startHost">;
  readonly #limits: ToolLimits;
  /** By file. */
  readonly #serving = new Map<string, Serving>();
  /** Processes that still end. */
  readonly #retired = new Set<ToolProcess>();

  constructor(
    options: Pick<ToolboxOptions, "cwd" | "cacheDir" | "startHost">,
    limits: ToolLimits,
  ) {
    this.#options = options;
    this.#limits = limits;
  }

  /**
   * The process of a tool's file, as soon as it has loaded that, or cannot, or the deadline is over;
   * `undefined` when the files changed meanwhile. A process that nobody waits for any more is ended.
   *
   * @throws {RpcError} -32800 when the signal aborts first
   */
  async loaded(
    tool: LoadedTool,
    directory: DirectoryTools,
    { signal, deadline }: LoadingBound,
  ): Promise<ToolProcess | undefined> {
    const serving = this.#serve(tool, directory);
    serving.waiting++;
    try {
      const patience = within(serving.isLoaded, Math.max(0, deadline - performance.now()));
      const timed = await unlessAborted(patience, signal);
      if (!timed.ok || timed.value) return serving.process;
      this.#retire(tool.file, serving, "its files changed while it was loaded");
      return undefined;
    } catch (error) {
      if (serving.waiting === 1) this.#retire(tool.file, serving, "its first call was cancelled");
      throw error;
    } finally {
      serving.waiting--;
    }
  }

  /** Ends every process as soon as no call of it is open. */
  retireAll(reason: string): void {
    for (const [file, serving] of this.#serving) this.#retire(file, serving, reason);
  }

  /** Ends every process; open calls fail with the reason. */
  async stop(reason: string): Promise<void> {
    this.retireAll(reason);
    await Promise.all([...this.#retired].map((process) => process.stop(reason)));
  }

  /** A new process where there is none for the file as it is now. */
  #serve(tool: LoadedTool, directory: DirectoryTools): Serving {
    const { files } = directory;
    const source = sourceKey(files, relative(files.root, tool.file));
    const key = JSON.stringify([source, tool.permissions, files.readable]);
    const before = this.#serving.get(tool.file);
    if (before?.key === key && before.process.lost === undefined) return before;
    if (before !== undefined) this.#retire(tool.file, before, "its file was changed");
    const process = this.#start(tool, directory);
    // What was loaded is what was read and agreed to only if nothing has changed up to now.
    const isLoaded = process.opening.then(() => directory.isCurrent());
    const serving = { key, process, isLoaded, waiting: 0 };
    this.#serving.set(tool.file, serving);
    return serving;
  }

  #start(tool: LoadedTool, { files, described }: DirectoryTools): ToolProcess {
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
    const tools = described.files.get(relative(files.root, tool.file))?.tools ?? [];
    const schemas = tools.flatMap(({ name, inputSchema }) =>
      inputSchema === undefined ? [] : [[name, inputSchema] as const]
    );
    return new ToolProcess(spec, {
      task: "serve",
      file: tool.file,
      cwd,
      permissions: workerPermissions(permissions, readableBy(files)),
      schemas: Object.fromEntries(schemas),
      grants: {},
    }, this.#limits);
  }

  #retire(file: string, { process }: Serving, reason: string): void {
    if (this.#serving.get(file)?.process === process) this.#serving.delete(file);
    this.#retired.add(process);
    process.retire(reason);
    void process.ended.then(() => this.#retired.delete(process));
  }
}
