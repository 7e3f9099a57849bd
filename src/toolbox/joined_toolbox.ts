/**
 * Several toolboxes of one session as one.
 *
 * @module
 */

import { RPC, RpcError } from "../base/rpc.ts";
import type { ToolDescription, ToolResult } from "../model/tool_manifest.ts";
import type { LoadedTool, Toolbox, ToolCallRequest, ToolProblem } from "./toolbox.ts";

/** Joins toolboxes. Of tools with the same model name the one of the earliest toolbox is offered. */
export function joinToolboxes(toolboxes: readonly Toolbox[]): Toolbox {
  return new JoinedToolbox(toolboxes);
}

class JoinedToolbox implements Toolbox {
  readonly #toolboxes: readonly Toolbox[];

  constructor(toolboxes: readonly Toolbox[]) {
    this.#toolboxes = toolboxes;
  }

  get tools(): readonly LoadedTool[] {
    const all = this.#toolboxes.flatMap(({ tools }) => tools);
    const first = new Map(all.toReversed().map((tool) => [tool.modelName, tool]));
    return [...first.values()].sort((a, b) => a.modelName < b.modelName ? -1 : 1);
  }

  get problems(): readonly ToolProblem[] {
    const offered = new Set(this.tools);
    const hidden = this.#toolboxes.flatMap(({ tools }) => tools)
      .filter((tool) => !offered.has(tool))
      .map(({ file, name, modelName }) => ({
        file,
        reason: `its tool "${name}" is left out: another one is ${modelName} to the model`,
      }));
    return [...this.#toolboxes.flatMap(({ problems }) => problems), ...hidden];
  }

  get untrusted(): readonly string[] {
    return this.#toolboxes.flatMap(({ untrusted }) => untrusted);
  }

  descriptions(): ToolDescription[] {
    return this.tools.map(({ description }) => description);
  }

  offered(method: string): LoadedTool | undefined {
    return this.#owner(method)?.offered(method);
  }

  async call(request: ToolCallRequest): Promise<ToolResult> {
    const owner = this.#owner(request.method);
    if (owner === undefined) {
      throw new RpcError(RPC.methodNotFound, `No tool has the method ${request.method}`);
    }
    return await owner.call(request);
  }

  refusal(tool: LoadedTool): string | undefined {
    return this.#owner(tool.description.method)?.refusal?.(tool);
  }

  #owner(method: string): Toolbox | undefined {
    return this.#toolboxes.find((toolbox) => toolbox.offered(method) !== undefined);
  }

  async reload(): Promise<void> {
    await Promise.all(this.#toolboxes.map((toolbox) => toolbox.reload()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#toolboxes.map((toolbox) => toolbox.close()));
  }
}
