/**
 * Checks what a tool file says about its tools.
 *
 * @module
 */

import { isObject, type JsonObject } from "../base/guards.ts";
import { didYouMean } from "../config/nearest.ts";
import { modelToolName, type ToolPermissions } from "../model/tool_manifest.ts";
import { type RawTool, TOOL_FIELDS } from "./host/protocol.ts";
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
  /** Why tools are left out, one line each. */
  readonly problems: readonly string[];
  /** What does nothing and costs no tool its place, one line each. */
  readonly warnings: readonly string[];
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
  const warnings: string[] = [];
  let permissions: ToolPermissions = {};
  if (raw.length === 0) {
    problems.push('exports no tool: it needs a "description" and a "handler", or a default export');
  }
  for (const [index, tool] of raw.entries()) {
    const label = raw.length === 1
      ? ""
      : `${typeof tool.name === "string" ? `"${tool.name}"` : `tool ${index + 1}`}: `;
    const asked = parsePermissions(tool.permissions);
    const { described, problems: own } = readTool(tool);
    const all = [...own, ...asked.problems];
    problems.push(...all.map((problem) => `${label}${problem}`));
    warnings.push(...unknownFields(tool).map((warning) => `${label}${warning}`));
    if (described === undefined || all.length > 0) continue;
    tools.push(described);
    permissions = unitePermissions(permissions, asked.permissions);
  }
  return { tools, permissions, problems, warnings };
}

/** The tool, if it is good, and everything that is wrong with it. */
function readTool(
  { name, description, inputSchema = undefined, timeout = TIMEOUT_MS, ...tool }: RawTool,
): { readonly described?: DescribedTool; readonly problems: readonly string[] } {
  // What could not be read has nothing that could be looked at.
  if (tool.unreadable === true) return { problems: tool.problems ?? [] };
  const isDescribed = typeof description === "string" && description.trim() !== "";
  const isTimed = typeof timeout === "number" && timeout > 0 && timeout <= LONGEST_MS;
  const isSchema = inputSchema === undefined || isObject(inputSchema);
  const type = isObject(inputSchema) ? inputSchema.type ?? "object" : "object";
  const problems = [
    checkName(name),
    tool.handler ? undefined : "has no handler function",
    isDescribed ? undefined : "has no description: the model needs one to know when to call it",
    isSchema ? undefined : "inputSchema is not an object",
    type === "object"
      ? undefined
      : `inputSchema.type must be "object", got ${JSON.stringify(type)}`,
    isTimed ? undefined : "timeout is not a number of milliseconds",
    ...tool.problems ?? [],
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0 || !isDescribed || !isTimed || !isSchema) return { problems };
  return {
    described: {
      name: String(name),
      description,
      ...(inputSchema === undefined ? {} : { inputSchema }),
      timeoutMs: timeout,
    },
    problems,
  };
}

function unknownFields({ unknown = [] }: RawTool): readonly string[] {
  return unknown.map((field) => {
    const near = didYouMean(field, TOOL_FIELDS);
    const advice = near === "" ? `; the fields are ${TOOL_FIELDS.join(", ")}` : near;
    return `"${field}" is not a field of a tool and does nothing${advice}`;
  });
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
