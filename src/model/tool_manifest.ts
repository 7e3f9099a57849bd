/**
 * Descriptions of client tools: as a tool file declares them, as they go over the wire, and as the
 * model sees them (the specification of mini-me's client tools).
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";

/** A grant: everything of its kind, nothing, or a list (paths, hosts, programs, variables). */
export type PermissionGrant = boolean | readonly string[];

/** The Deno permissions that a tool file declares. Absent means none. */
export interface ToolPermissions {
  readonly read?: PermissionGrant;
  readonly write?: PermissionGrant;
  readonly net?: PermissionGrant;
  readonly env?: PermissionGrant;
  readonly run?: PermissionGrant;
  readonly sys?: PermissionGrant;
  readonly ffi?: PermissionGrant;
}

/** One tool as it goes to the agent: the wire shape of the specification. */
export interface ToolDescription {
  readonly name: string;
  readonly description?: string;
  /** Starts with `_`. */
  readonly method: string;
  readonly inputSchema?: JsonObject;
}

/** A block of a tool's result: MCP's shapes; `text` is the one that mini-me reads. */
export type ToolResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: string; readonly [key: string]: unknown };

/** The answer to a tool call. */
export interface ToolResult {
  readonly content: readonly ToolResultBlock[];
  readonly isError?: boolean;
}

/** The name that the model sees: `open buffers` becomes `client_open_buffers`. */
export function modelToolName(name: string): string {
  return `client_${name}`.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
}
