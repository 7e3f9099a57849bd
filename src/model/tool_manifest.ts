/**
 * Descriptions of client tools: as a tool file declares them, as they go over the wire, and as the
 * model sees them (the specification of mini-me's client tools).
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";
import { simplifySchema } from "./tool_schema.ts";

/** Key of the client tools in `clientCapabilities._meta`. */
export const TOOLS_CAPABILITY = "org.mini-me/tools";

/** The agent's request for the tools of a session. */
export const TOOLS_LIST_METHOD = "_org.mini-me/tools/list";

/** Key of the session's id in the `_meta` of a tool call. */
export const TOOL_SESSION_KEY = "org.mini-me/sessionId";

/**
 * A grant: everything of its kind, nothing, or a list (paths, hosts, programs, variables).
 *
 * ```ts
 * import type { PermissionGrant } from "@mm/repl/tool";
 *
 * const hosts: PermissionGrant = ["api.example.org:443"];
 * ```
 */
export type PermissionGrant = boolean | readonly string[];

/**
 * The Deno permissions that a tool file declares. Absent means none.
 *
 * ```ts
 * import type { ToolPermissions } from "@mm/repl/tool";
 *
 * const permissions: ToolPermissions = { read: ["."], env: ["LANG"] };
 * ```
 */
export interface ToolPermissions {
  /** Paths that may be read; relative ones are relative to the session's directory. */
  readonly read?: PermissionGrant;
  /** Paths that may be written. */
  readonly write?: PermissionGrant;
  /** Hosts, with a port or for all of them. */
  readonly net?: PermissionGrant;
  /** Names of environment variables. */
  readonly env?: PermissionGrant;
  /** Programs that may be run: with any of them a tool can do whatever the user can. */
  readonly run?: PermissionGrant;
  /** Kinds of information about the system, such as `hostname`. */
  readonly sys?: PermissionGrant;
  /** Libraries that may be loaded: as powerful as `run`. */
  readonly ffi?: PermissionGrant;
}

/**
 * One tool as it goes to the agent: the wire shape of the specification.
 *
 * ```ts
 * import type { ToolDescription } from "@mm/repl";
 *
 * const tool: ToolDescription = { name: "greet", description: "Greets.", method: "_me/greet" };
 * ```
 */
export interface ToolDescription {
  /** What its author calls it; the model sees `client_` and this. */
  readonly name: string;
  /** What the model reads to decide when to call it. */
  readonly description?: string;
  /** Starts with `_`. */
  readonly method: string;
  /** JSON Schema of the arguments, an object. */
  readonly inputSchema?: JsonObject;
}

/**
 * A block of a tool's result: MCP's shapes; `text` is the one that mini-me reads.
 *
 * ```ts
 * import type { ToolResultBlock } from "@mm/repl";
 *
 * const block: ToolResultBlock = { type: "text", text: "3 words" };
 * ```
 */
export type ToolResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: string; readonly [key: string]: unknown };

/**
 * The answer to a tool call.
 *
 * ```ts
 * import type { ToolResult } from "@mm/repl";
 *
 * const result: ToolResult = { content: [{ type: "text", text: "no such file" }], isError: true };
 * ```
 */
export interface ToolResult {
  /** What the model reads. */
  readonly content: readonly ToolResultBlock[];
  /** Whether the call failed. Default false. */
  readonly isError?: boolean;
}

/** A tool as the model sees it. */
export interface ModelTool {
  /** `client_…`. */
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A list of tool descriptions after validation. */
export interface ValidatedToolList {
  /** Valid and unique, sorted by model name. */
  readonly tools: readonly ToolDescription[];
  /** Entries that were left out: their position in the list, from 0, and why. */
  readonly skipped: readonly { readonly index: number; readonly reason: string }[];
}

/** The name that the model sees: `open buffers` becomes `client_open_buffers`. */
export function modelToolName(name: string): string {
  return `client_${name}`.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
}

/** What the model is told of a tool: its name, description and schema as mini-me declares them. */
export function describeForModel(tool: ToolDescription): ModelTool {
  const described = tool.description ?? `Tool provided by the editor (${tool.method}).`;
  const { description, ...schema } = simplifySchema({
    ...tool.inputSchema,
    description: described,
  });
  return {
    name: modelToolName(tool.name),
    description: asString(description) ?? described,
    schema: { ...schema, type: "object", properties: schema.properties ?? {} },
  };
}

/** Validates a list of tool descriptions entry by entry; what is not a list has no tools. */
export function validateToolList(list: unknown): ValidatedToolList {
  const tools = new Map<string, ToolDescription>();
  const skipped: { index: number; reason: string }[] = [];
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    const tool = parseTool(entry);
    if (typeof tool === "string") {
      skipped.push({ index, reason: tool });
      continue;
    }
    const name = modelToolName(tool.name);
    if (tools.has(name)) skipped.push({ index, reason: `duplicate tool name "${name}"` });
    else tools.set(name, tool);
  }
  const names = [...tools.keys()].sort();
  return { tools: names.flatMap((name) => tools.get(name) ?? []), skipped };
}

/** The tool, or the reason why the entry is not one. */
function parseTool(entry: unknown): ToolDescription | string {
  if (!isObject(entry)) return `not a tool description: ${typeName(entry)} instead of an object`;
  for (const field of ["name", "description", "method"]) {
    const value = entry[field] ?? "";
    if (typeof value === "string") continue;
    return `not a tool description: ${field} is ${typeName(value)} instead of a string`;
  }
  const schema = entry.inputSchema ?? undefined;
  if (schema !== undefined && !isObject(schema)) {
    return `not a tool description: inputSchema is ${typeName(schema)} instead of an object`;
  }
  const name = asString(entry.name) ?? "";
  const method = asString(entry.method) ?? "";
  const description = asString(entry.description);
  if (name.trim() === "") return "no name";
  if (!method.startsWith("_")) {
    return `method "${method}" must start with "_" (an ACP extension method)`;
  }
  const type = schema?.type ?? "object";
  if (type !== "object") return `inputSchema.type must be "object", got ${JSON.stringify(type)}`;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    method,
    ...(schema === undefined ? {} : { inputSchema: schema }),
  };
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
