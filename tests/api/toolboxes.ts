/** Toolboxes without tool files, for what the library does with them. */

import type { ToolDescription } from "../../src/model/tool_manifest.ts";
import { RPC, RpcError } from "../../src/base/rpc.ts";
import type { LoadedTool, Toolbox, ToolCallRequest } from "../../src/toolbox/toolbox.ts";

/** A toolbox whose single tool answers with the directory it belongs to. */
export interface FakeToolbox extends Toolbox {
  readonly cwd: string;
  readonly calls: ToolCallRequest[];
  readonly closed: boolean;
}

/** The method of every fake tool. */
export const WHERE = "_test/where";

/** Opens a toolbox with the tool `where`, or with none. */
export function fakeToolbox(cwd: string, names: readonly string[] = ["where"]): FakeToolbox {
  const descriptions = names.map((name): ToolDescription => ({ name, method: `_test/${name}` }));
  const state = { closed: false };
  return {
    cwd,
    calls: [],
    get closed() {
      return state.closed;
    },
    tools: descriptions.map((description): LoadedTool => ({
      name: description.name,
      modelName: `client_${description.name}`,
      description,
      permissions: {},
      file: `${cwd}/tools/${description.name}.ts`,
      directory: { path: `${cwd}/tools`, origin: "project" },
      timeoutMs: 1_000,
    })),
    problems: [],
    untrusted: [],
    descriptions: () => descriptions,
    offered(method) {
      return this.tools.find(({ description }) => description.method === method);
    },
    call(request) {
      this.calls.push(request);
      if (!descriptions.some(({ method }) => method === request.method)) {
        return Promise.reject(new RpcError(RPC.methodNotFound, "Method not found"));
      }
      request.onLog?.({ kind: "progress", text: `in ${cwd}` });
      return Promise.resolve({ content: [{ type: "text", text: cwd }] });
    },
    reload: () => Promise.resolve(),
    close() {
      state.closed = true;
      return Promise.resolve();
    },
  };
}
