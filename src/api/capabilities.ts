/**
 * What we tell an agent that we can do.
 *
 * @module
 */

import project from "../../deno.json" with { type: "json" };
import type { JsonObject } from "../base/guards.ts";
import { type ToolDescription, TOOLS_CAPABILITY } from "../model/tool_manifest.ts";
import type { ClientOptions } from "./contract.ts";

/** The `clientInfo` of `initialize`. */
export const CLIENT_INFO: {
  readonly name: string;
  readonly title: string;
  readonly version: string;
} = {
  name: "mm-repl",
  title: "mm-repl",
  version: project.version,
};

/** Which file requests are offered: to an agent on another machine none unless it is said. */
export function offeredFiles({ spec, fs }: ClientOptions): "all" | "read" | "write" | "none" {
  return fs ?? (spec.kind === "remote" ? "none" : "all");
}

/** Whether terminals are offered: to an agent on another machine not unless it is said. */
export function offersTerminals({ spec, terminal }: ClientOptions): boolean {
  return terminal ?? spec.kind !== "remote";
}

/**
 * The `clientCapabilities` of `initialize`. `tools` is `true` where the agent is to ask for the list,
 * the list itself where it is not, and absent where no tools are offered at all.
 */
export function clientCapabilities(
  options: ClientOptions,
  tools: true | readonly ToolDescription[] | undefined,
): JsonObject {
  const fs = offeredFiles(options);
  const meta = {
    ...options.clientCapsMeta,
    ...(tools === undefined ? {} : { [TOOLS_CAPABILITY]: tools }),
  };
  return {
    fs: {
      readTextFile: fs === "all" || fs === "read",
      writeTextFile: fs === "all" || fs === "write",
    },
    terminal: offersTerminals(options),
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(options.terminalAuth ? { auth: { terminal: true } } : {}),
    ...(options.onElicitation === undefined ? {} : { elicitation: { form: {}, url: {} } }),
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
}
