/**
 * What a tool file imports: `import { defineTool } from "@mm/repl/tool"`.
 *
 * Types, and one function that does nothing at run time, so that a tool process needs no permission
 * and no further module for it.
 *
 * @module
 */

import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { ToolPermissions } from "../model/tool_manifest.ts";

export type { PermissionGrant, ToolPermissions } from "../model/tool_manifest.ts";

/** What a handler gets besides its arguments. */
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

/** Any schema library's value that follows Standard Schema (zod 4, valibot, arktype …). */
export interface StandardSchemaLike {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined;
  };
}

/** A JSON Schema object, or a Standard Schema value that can give one. */
export type ToolSchema = Exclude<JSONSchema, boolean> | StandardSchemaLike;

/** The arguments that a handler gets for a schema; an object of unknowns when there is none. */
export type ToolArguments<S> = [ToolSchema] extends [S] ? Record<string, unknown>
  : S extends StandardSchemaLike ? NonNullable<S["~standard"]["types"]>["output"]
  : S extends Exclude<JSONSchema, boolean> ? FromSchema<S>
  : Record<string, unknown>;

/** One tool of a file. */
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

/** A tool with any schema: what {@link defineTool} gives fits it. */
export interface AnyToolDefinition extends Omit<ToolDefinition, "handler"> {
  /** See {@link ToolDefinition.handler}. */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
}

/** Types a tool: the handler's arguments follow from `inputSchema`. Gives back what it was given. */
export function defineTool<const S extends ToolSchema>(
  definition: ToolDefinition<S>,
): ToolDefinition<S> {
  return definition;
}
