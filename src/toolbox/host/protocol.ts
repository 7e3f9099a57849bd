/**
 * What goes between us, the host process of a tool file, and the worker in it.
 *
 * @module
 */

import type { JsonObject } from "../../base/guards.ts";
import type { ToolPermissions, ToolResult } from "../../model/tool_manifest.ts";

/** The first line on the stdin of a host. */
export interface HostStart {
  /** Begins every frame that the host writes; unknown to the tool. */
  readonly secret: string;
  /**
   * `describe`: say what is in the file. `serve`: answer calls. `check`: say which schemas and grants
   * are not valid; no file is loaded.
   */
  readonly task: "describe" | "serve" | "check";
  /** Absolute path of the tool file. */
  readonly file: string;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** Of the worker that runs the tool; paths are absolute. */
  readonly permissions: WorkerPermissions;
  /** The schemas to check, or to validate arguments with: then by tool name. */
  readonly schemas: { readonly [key: string]: JsonObject };
  /** The permissions to check. */
  readonly grants: { readonly [key: string]: WorkerPermissions };
}

/** The permissions of the inner ring, as `new Worker` takes them. */
export type WorkerPermissions = {
  readonly [kind in keyof Required<ToolPermissions> | "import"]:
    | boolean
    | "inherit"
    | readonly string[];
};

/** Later lines on the stdin of a host. */
export type ToHost =
  | {
    readonly type: "call";
    readonly id: number;
    readonly tool: string;
    readonly args: JsonObject;
    readonly sessionId: string;
  }
  | { readonly type: "abort"; readonly id: number; readonly reason: string };

/** A place in a file, as far as it is known. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What a host says. */
export type FromHost =
  /** The raw tools of the file; `handler` tells whether there is one. */
  | { readonly type: "described"; readonly tools: readonly RawTool[] }
  | { readonly type: "ready" }
  /** What is wrong with the schemas and grants that are not valid, by key. */
  | {
    readonly type: "checked";
    readonly problems: { readonly [key: string]: readonly string[] };
  }
  /** The file could not be loaded. */
  | { readonly type: "broken"; readonly reason: string; readonly place: Place }
  | {
    readonly type: "note";
    readonly id: number;
    readonly kind: "log" | "progress";
    readonly text: string;
  }
  | { readonly type: "result"; readonly id: number; readonly result: ToolResult }
  /** The worker is gone; no call will be answered any more. */
  | { readonly type: "lost"; readonly reason: string };

/** What the definition of a tool may hold. */
export const TOOL_FIELDS = [
  "name",
  "description",
  "inputSchema",
  "permissions",
  "timeout",
  "handler",
] as const;

/** One tool as the file has it: checked by nobody yet. */
export interface RawTool {
  readonly name: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly permissions?: unknown;
  readonly timeout?: unknown;
  readonly handler: boolean;
  /** Fields of the definition that mean nothing. */
  readonly unknown?: readonly string[];
  /** Problems found while reading the definition, or checking its schema and permissions. */
  readonly problems?: readonly string[];
  /** True when the definition could not be read; the problem says why. */
  readonly unreadable?: boolean;
}

/** First message to the worker. */
export interface WorkerStart {
  readonly task: HostStart["task"];
  /** Of the tool file. */
  readonly url: string;
  /** Name of the tool file, without its extension. */
  readonly stem: string;
  /** Directory of the tool file. */
  readonly directory: string;
  /** The session's directory. */
  readonly cwd: string;
}
