/**
 * What a tool file imports.
 *
 * ```ts
 * import { defineTool } from "@mm/repl/tool";
 *
 * export default defineTool({
 *   description: "Count the words of a text.",
 *   inputSchema: {
 *     type: "object",
 *     properties: { text: { type: "string" } },
 *     required: ["text"],
 *   },
 *   handler: ({ text }) => `${text.split(/\s+/).filter(Boolean).length} words`,
 * });
 * ```
 *
 * Types, and one function that does nothing at run time, so that a tool process needs no permission
 * and no further module for it.
 *
 * @module
 */

import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { ToolPermissions } from "../model/tool_manifest.ts";

export type { PermissionGrant, ToolPermissions } from "../model/tool_manifest.ts";

/**
 * What a handler gets besides its arguments.
 *
 * ```ts
 * import type { ToolContext } from "@mm/repl/tool";
 *
 * async function handler(_args: unknown, { signal, progress }: ToolContext) {
 *   progress("fetching the list");
 *   return await (await fetch("https://example.org/list", { signal })).text();
 * }
 * ```
 */
export interface ToolContext {
  /** The session that the call belongs to. */
  readonly sessionId: string;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** Aborts when the call is cancelled or its time is over; the process is ended shortly after. */
  readonly signal: AbortSignal;
  /** Adds a line to the log of the call. The model does not see it. */
  log(text: string): void;
  /** Says what the tool is doing now, under the running call. The model does not see it. */
  progress(text: string): void;
}

/**
 * Any schema library's value that follows Standard Schema (zod 4, valibot, arktype …).
 *
 * ```ts
 * import type { StandardSchemaLike } from "@mm/repl/tool";
 * import { z } from "zod";
 *
 * const schema: StandardSchemaLike = z.object({ path: z.string() });
 * ```
 */
export interface StandardSchemaLike {
  /** See the page of Standard Schema. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

/**
 * A JSON Schema that describes an object, as json-schema-to-ts types it.
 *
 * ```ts
 * import type { JsonSchema } from "@mm/repl/tool";
 *
 * const schema: JsonSchema = { type: "object", properties: { n: { enum: [1, 2] } } };
 * ```
 *
 * @internal
 */
export type JsonSchema = Exclude<JSONSchema, boolean>;

/**
 * The values that a JSON Schema lets through.
 *
 * ```ts
 * import type { FromJsonSchema } from "@mm/repl/tool";
 *
 * const schema = { type: "object", properties: { n: { type: "number" } } } as const;
 * const value: FromJsonSchema<typeof schema> = { n: 1 };
 * ```
 *
 * @internal
 */
export type FromJsonSchema<S extends JsonSchema> = FromSchema<S>;

/**
 * A JSON Schema object, or a Standard Schema value that can give one.
 *
 * ```ts
 * import type { ToolSchema } from "@mm/repl/tool";
 *
 * const schema: ToolSchema = { type: "object", properties: { path: { type: "string" } } };
 * ```
 */
export type ToolSchema = JsonSchema | StandardSchemaLike;

/**
 * The arguments that a handler gets for a schema; an object of unknowns when there is none.
 *
 * ```ts
 * import type { ToolArguments } from "@mm/repl/tool";
 *
 * const schema = { type: "object", properties: { n: { type: "number" } } } as const;
 * const args: ToolArguments<typeof schema> = { n: 1 };
 * ```
 */
export type ToolArguments<S> = [ToolSchema] extends [S] ? Record<string, unknown>
  : S extends StandardSchemaLike ? NonNullable<S["~standard"]["types"]>["output"]
  : S extends JsonSchema ? FromJsonSchema<S>
  : Record<string, unknown>;

/**
 * One tool of a file.
 *
 * ```ts
 * import type { ToolDefinition } from "@mm/repl/tool";
 *
 * const tool: ToolDefinition = {
 *   description: "Says what time it is.",
 *   handler: () => new Date().toISOString(),
 * };
 * ```
 */
export interface ToolDefinition<S extends ToolSchema = ToolSchema> {
  /** Default: the name of the file without its extension, or of the export. */
  readonly name?: string;
  /** What the model reads to decide when to call the tool. */
  readonly description: string;
  /** Of the arguments; absent: the tool takes none. */
  readonly inputSchema?: S;
  /** Deno permissions; relative paths are relative to the session's directory. Default: none. */
  readonly permissions?: ToolPermissions;
  /** Bound of one call in milliseconds. Default 25,000. */
  readonly timeout?: number;
  /**
   * Does the work. A string is what the model reads, `undefined` an empty text, `{content,
   * isError?}` an answer in the shape of MCP, anything else its JSON text; what it throws is a
   * failed call with that message.
   */
  handler(args: ToolArguments<S>, context: ToolContext): unknown;
}

/**
 * A tool with any schema: what {@link defineTool} gives fits it.
 *
 * ```ts
 * import { type AnyToolDefinition, defineTool } from "@mm/repl/tool";
 *
 * const tools: readonly AnyToolDefinition[] = [
 *   defineTool({ name: "now", description: "The time.", handler: () => new Date().toJSON() }),
 * ];
 * ```
 */
export interface AnyToolDefinition extends Omit<ToolDefinition, "handler"> {
  /** See {@link ToolDefinition.handler}. */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
}

/**
 * Types a tool: the handler's arguments follow from `inputSchema`. Gives back what it was given.
 *
 * ```ts
 * import { defineTool } from "@mm/repl/tool";
 *
 * const tool = defineTool({
 *   description: "Repeat a word.",
 *   inputSchema: {
 *     type: "object",
 *     properties: { word: { type: "string" }, times: { type: "integer", default: 2 } },
 *     required: ["word"],
 *   },
 *   handler: ({ word, times }) => word.repeat(times ?? 2),
 * });
 * console.assert(tool.description === "Repeat a word.");
 * ```
 */
export function defineTool<const S extends ToolSchema>(
  definition: ToolDefinition<S>,
): ToolDefinition<S> {
  return definition;
}
