/**
 * Finds the tools among the exports of a tool file. Runs inside the tool's worker, so it takes
 * nothing for granted: getters may throw, values may be cyclic.
 *
 * @module
 */

import { isObject, type JsonObject } from "../../base/guards.ts";
import { messageOf } from "../../base/errors.ts";
import { nearestWord } from "../../config/nearest.ts";
import { type RawTool, TOOL_FIELDS } from "./protocol.ts";

/** Fields without a meaning that are told of one tool. */
const TOLD_FIELDS = 20;

/** A tool of the file: how it is called and what it says about itself. */
export interface Definition {
  readonly name: unknown;
  readonly source: JsonObject;
  /** The file itself is the definition: it may export more. */
  readonly isModule?: boolean;
}

/**
 * The tools in the order in which they were written: those of the default export (one or an array),
 * the module itself when it exports a `handler`, and other exports that have a handler. The same
 * object exported twice is one tool.
 */
export function findDefinitions(module: JsonObject, stem: string): Definition[] {
  const found = new Map<unknown, Definition>();
  const add = (source: unknown, fallback: string | undefined, isModule = false): void => {
    if (!isObject(source) || found.has(source)) return;
    found.set(source, { name: source.name ?? fallback, source, isModule });
  };
  if (Array.isArray(module.default)) {
    const exported = new Map(Object.entries(module).map(([key, value]) => [value, key]));
    for (const item of module.default) {
      add(item, exported.get(item) ?? (module.default.length === 1 ? stem : undefined));
    }
  } else if (typeof module.default === "function") {
    add({ ...module, handler: module.handler ?? module.default }, stem, true);
  } else {
    add(module.default, stem);
  }
  if (typeof module.default !== "function" && "handler" in module) add(module, stem, true);
  for (const [key, value] of Object.entries(module)) {
    if (key !== "default" && isObject(value) && typeof value.handler === "function") {
      add(value, key);
    }
  }
  return [...found.values()];
}

/** What a definition says about itself, as plain data. Never throws. */
export function describe(definition: Definition): RawTool {
  const { name, source } = definition;
  try {
    const { description, permissions, timeout } = source;
    const tool: RawTool = {
      name,
      description,
      permissions,
      timeout,
      inputSchema: source.inputSchema === undefined ? undefined : jsonSchemaOf(source.inputSchema),
      handler: typeof source.handler === "function",
      unknown: unknownFields(definition),
    };
    return JSON.parse(JSON.stringify(tool));
  } catch (error) {
    return { name: String(name), handler: true, unreadable: true, problems: [messageOf(error)] };
  }
}

/** What is written in a definition and means nothing; of a file's exports what looks like a slip. */
function unknownFields({ source, isModule }: Definition): string[] {
  const known: readonly string[] = TOOL_FIELDS;
  return Object.keys(source)
    .filter((field) => !known.includes(field))
    .filter((field) => isModule !== true || isSlip(field, source))
    .slice(0, TOLD_FIELDS);
}

/** Whether an export has nearly the name of a field that the file does not have. */
function isSlip(field: string, source: JsonObject): boolean {
  const near = nearestWord(field, TOOL_FIELDS);
  return near !== undefined && source[near] === undefined;
}

/** Validates with the schema library that the author used; plain JSON Schema passes untouched. */
export async function applyStandardSchema(schema: unknown, args: JsonObject): Promise<unknown> {
  const standard = standardOf(schema);
  if (standard === undefined || typeof standard.validate !== "function") return args;
  const outcome: unknown = await standard.validate(args);
  if (!isObject(outcome)) return args;
  if (!Array.isArray(outcome.issues)) return outcome.value;
  const issues = outcome.issues.filter(isObject).map((issue) => {
    const path = Array.isArray(issue.path) ? issue.path.map(segmentOf).join(".") : "";
    return `${path === "" ? "the arguments" : path}: ${String(issue.message)}`;
  });
  throw new InvalidArguments(issues.join("; "));
}

/** The author's own schema refused the arguments; the message says why. */
export class InvalidArguments extends Error {}

function jsonSchemaOf(schema: unknown): unknown {
  const standard = standardOf(schema);
  if (standard === undefined) return schema;
  const convert = isObject(standard.jsonSchema) ? standard.jsonSchema.input : undefined;
  if (typeof convert === "function") return convert({ target: "draft-2020-12" });
  const own = (schema as JsonObject).toJSONSchema ?? (schema as JsonObject).toJsonSchema;
  if (typeof own === "function") return own.call(schema);
  throw new Error(
    `inputSchema: this ${String(standard.vendor)} schema cannot be turned into a JSON Schema`,
  );
}

function standardOf(schema: unknown): JsonObject | undefined {
  const isHolder = isObject(schema) || typeof schema === "function";
  const standard = isHolder ? (schema as JsonObject)["~standard"] : undefined;
  return isObject(standard) ? standard : undefined;
}

function segmentOf(segment: unknown): string {
  return String(isObject(segment) ? segment.key : segment);
}
