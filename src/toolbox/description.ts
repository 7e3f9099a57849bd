/**
 * Checks what a tool file says about its tools.
 *
 * @module
 */

import { isObject, type JsonObject } from "../base/guards.ts";
import { modelToolName, type ToolPermissions } from "../model/tool_manifest.ts";
import type { RawTool } from "./host/protocol.ts";
import { parsePermissions, unitePermissions } from "./permissions.ts";

/** One good tool of a file. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: JsonObject;
  readonly timeoutMs: number;
}

/** What is in a tool file. */
export interface FileDescription {
  readonly tools: readonly DescribedTool[];
  /** Of the process that runs all tools of the file: what any of them asks for. */
  readonly permissions: ToolPermissions;
  /** One line each. */
  readonly problems: readonly string[];
}

/** Default bound of a call in milliseconds: below the 30 s after which mini-me gives up. */
const TIMEOUT_MS = 25_000;

/** The longest bound of a call in milliseconds. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Providers of models take no longer names of tools. */
const NAME_LIMIT = 64;

/** What the model does not see of a name, people have to read. */
const RAW_NAME_LIMIT = 100;

/** Reads the raw tools of a file; a tool with a problem is left out, the others stay. */
export function readDescription(raw: readonly RawTool[]): FileDescription {
  const tools: DescribedTool[] = [];
  const problems: string[] = [];
  let permissions: ToolPermissions = {};
  if (raw.length === 0) {
    problems.push('exports no tool: it needs a "description" and a "handler", or a default export');
  }
  for (const [index, tool] of raw.entries()) {
    const label = raw.length === 1
      ? ""
      : `${typeof tool.name === "string" ? `"${tool.name}"` : `tool ${index + 1}`}: `;
    const asked = parsePermissions(tool.permissions);
    const read = typeof asked === "string" ? asked : readTool(tool);
    if (typeof read === "string" || typeof asked === "string") {
      problems.push(`${label}${read}`);
      continue;
    }
    tools.push(read);
    permissions = unitePermissions(permissions, asked);
  }
  return { tools, permissions, problems };
}

/** The tool, or what is wrong with it. */
function readTool(tool: RawTool): DescribedTool | string {
  if (tool.problem !== undefined) return tool.problem;
  const { name, description, inputSchema = undefined, timeout = TIMEOUT_MS } = tool;
  const badName = checkName(name);
  if (badName !== undefined) return badName;
  if (!tool.handler) return "has no handler function";
  if (typeof description !== "string" || description.trim() === "") {
    return "has no description: the model needs one to know when to call it";
  }
  if (inputSchema !== undefined && !isObject(inputSchema)) return "inputSchema is not an object";
  const type = inputSchema?.type ?? "object";
  if (type !== "object") return `inputSchema.type must be "object", got ${JSON.stringify(type)}`;
  if (typeof timeout !== "number" || !(timeout > 0) || timeout > LONGEST_MS) {
    return "timeout is not a number of milliseconds";
  }
  return {
    name: String(name),
    description,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    timeoutMs: timeout,
  };
}

function checkName(name: unknown): string | undefined {
  if (typeof name !== "string") return "has no name";
  if (name.trim() === "") return "its name is empty";
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return "its name has invisible characters";
  if (name.length > RAW_NAME_LIMIT) {
    return `its name is too long: it has ${name.length} characters, and ${RAW_NAME_LIMIT} is the most`;
  }
  const seen = modelToolName(name);
  if (seen === "client") return "its name has no letter from A to Z and no digit";
  return seen.length > NAME_LIMIT
    ? `its name is too long: the model would see ${seen.length} characters, and ${NAME_LIMIT} is the most`
    : undefined;
}
