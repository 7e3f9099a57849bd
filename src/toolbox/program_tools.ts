/**
 * Tools that a program defines itself. They run in its process, with its own permissions.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { ToolDescription, ToolResult } from "../model/tool_manifest.ts";
import { type DescribedTool, readDescription } from "./description.ts";
import { failure } from "./host/answers.ts";
import { type ArgumentCheck, compileArguments } from "./host/arguments.ts";
import { describe } from "./host/definitions.ts";
import { runHandler, wrongArguments } from "./host/run_handler.ts";
import type { AnyToolDefinition, ToolContext } from "./tool.ts";
import { offeredTool } from "./tool_list.ts";
import type { LoadedTool, Toolbox, ToolCallRequest, ToolProblem } from "./toolbox.ts";

/** A definition that was checked. */
export interface ProgramTool {
  readonly source: JsonObject;
  readonly described: DescribedTool;
  readonly check: ArgumentCheck;
}

/**
 * Checks tool definitions. Each needs a `name`; their `permissions` mean nothing here.
 *
 * @throws {MmError} `usage` for a definition that cannot be offered.
 */
export function checkProgramTools(definitions: readonly AnyToolDefinition[]): ProgramTool[] {
  const taken = new Set<string>();
  return definitions.map((definition) => {
    const source = definition as unknown as JsonObject;
    const fail = (reason: string) =>
      new MmError("usage", `Cannot offer the tool "${definition.name ?? "?"}": ${reason}`);
    const { tools: [described], problems } = readDescription([
      describe({ name: definition.name, source }),
    ]);
    if (described === undefined) throw fail(problems.join("; "));
    const { modelName } = offeredTool(described);
    if (taken.has(modelName)) throw fail(`another one would be ${modelName} to the model as well`);
    taken.add(modelName);
    try {
      return { source, described, check: compileArguments(described.inputSchema ?? {}) };
    } catch (error) {
      throw fail(messageOf(error));
    }
  });
}

/** The tools as the toolbox of a session in `cwd`, an absolute directory. */
export function openProgramTools(tools: readonly ProgramTool[], cwd: string): Toolbox {
  return new ProgramToolbox(tools, cwd);
}

class ProgramToolbox implements Toolbox {
  readonly tools: readonly LoadedTool[];
  readonly problems: readonly ToolProblem[] = [];
  readonly untrusted: readonly string[] = [];
  readonly #cwd: string;
  readonly #byMethod: ReadonlyMap<string, ProgramTool>;
  readonly #closed = new AbortController();

  constructor(tools: readonly ProgramTool[], cwd: string) {
    this.#cwd = cwd;
    const directory = { path: cwd, origin: "program" } as const;
    const loaded = tools.map((tool) => ({
      tool,
      offer: { ...offeredTool(tool.described), permissions: {}, file: "", directory },
    }));
    this.#byMethod = new Map(loaded.map(({ tool, offer }) => [offer.description.method, tool]));
    this.tools = loaded.map(({ offer }) => offer)
      .sort((a, b) => a.modelName < b.modelName ? -1 : 1);
  }

  descriptions(): ToolDescription[] {
    return this.tools.map(({ description }) => description);
  }

  offered(method: string): LoadedTool | undefined {
    return this.tools.find(({ description }) => description.method === method);
  }

  async call(request: ToolCallRequest): Promise<ToolResult> {
    const tool = this.#byMethod.get(request.method);
    if (tool === undefined) {
      throw new RpcError(RPC.methodNotFound, `No tool has the method ${request.method}`);
    }
    const { params = {} } = request;
    if (!isObject(params)) {
      throw new RpcError(RPC.invalidParams, "The params of a tool call must be an object");
    }
    const { _meta, ...args } = params;
    const { name } = tool.described;
    const wrong = tool.check(args);
    if (wrong !== undefined) return failure(wrongArguments(name, wrong));
    return await this.#run(tool, args, request);
  }

  reload(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed.abort(new DOMException("the session is closed", "AbortError"));
    return Promise.resolve();
  }

  /** Runs a call until it ends, is cancelled, or its time is over; a handler is told of the last two. */
  async #run(
    { described: { name, timeoutMs }, source }: ProgramTool,
    args: JsonObject,
    { sessionId, signal, onLog }: ToolCallRequest,
  ): Promise<ToolResult> {
    const late = new AbortController();
    const note = (kind: "log" | "progress") => (text: string) =>
      onLog?.({ kind, text: String(text) });
    const context: ToolContext = {
      sessionId,
      cwd: this.#cwd,
      signal: AbortSignal.any([signal, late.signal, this.#closed.signal]),
      log: note("log"),
      progress: note("progress"),
    };
    const { promise: stopped, resolve, reject } = Promise.withResolvers<ToolResult>();
    const timer = setTimeout(() => {
      late.abort(new DOMException("the time of the call is over", "TimeoutError"));
      resolve(failure(`${name} failed: it took longer than its limit of ${timeoutMs / 1_000} s`));
    }, timeoutMs);
    const cancel = () => reject(new RpcError(RPC.requestCancelled, "Request cancelled"));
    const close = () => resolve(failure(`${name} failed: the session is closed`));
    signal.addEventListener("abort", cancel, { once: true });
    this.#closed.signal.addEventListener("abort", close, { once: true });
    try {
      if (signal.aborted) cancel();
      if (this.#closed.signal.aborted) close();
      if (context.signal.aborted) return await stopped;
      return await Promise.race([stopped, runHandler({ tool: name, source, args, context })]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      this.#closed.signal.removeEventListener("abort", close);
    }
  }
}
