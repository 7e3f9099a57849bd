/**
 * Validation of a call's arguments against the full JSON Schema of the tool.
 *
 * @module
 */

import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { messageOf } from "../../base/errors.ts";
import type { JsonObject } from "../../base/guards.ts";
import { didYouMean } from "../../config/nearest.ts";

/** Gives `undefined` when the arguments are right, else what to change. Fills in defaults. */
export type ArgumentCheck = (args: JsonObject) => string | undefined;

/** How many violations one answer names. */
const NAMED = 5;

const OPTIONS = {
  strict: false,
  allErrors: true,
  useDefaults: true,
  // A parameter may be called "constructor".
  ownProperties: true,
  validateFormats: false,
  logger: false,
  verbose: true,
} as const;

/** They check schemas: each makes itself ready for that once, which takes longer than all the rest. */
const oldChecker = new Ajv(OPTIONS);
const checker = new Ajv2020(OPTIONS);

/**
 * Compiles a schema (2020-12, or draft-07 and older when `$schema` says so).
 *
 * @throws {Error} with a one-line message when the schema is not valid.
 */
export function compileArguments(schema: JsonObject): ArgumentCheck {
  const { $schema, ...rest } = schema;
  if ("$async" in rest) throw new Error("inputSchema.$async is not supported");
  const isOld = typeof $schema === "string" && /draft-0[3-7]/.test($schema);
  // One for each schema: their names are no business of each other's.
  const compiler = new (isOld ? Ajv : Ajv2020)({
    ...OPTIONS,
    validateSchema: false,
  });
  let validate: ValidateFunction;
  try {
    const judge = isOld ? oldChecker : checker;
    if (judge.validateSchema(rest) === false) throw new Error(explainSchema(judge.errors ?? []));
    validate = compiler.compile(rest);
  } catch (error) {
    throw new Error(`inputSchema is not a valid JSON Schema: ${messageOf(error).split("\n")[0]}`);
  }
  return (args) => validate(args) ? undefined : explain(validate.errors ?? []);
}

function explain(errors: readonly ErrorObject[]): string {
  return firstOf([...new Set(errors.map(explainOne))]);
}

function firstOf(lines: readonly string[]): string {
  const rest = lines.length - NAMED;
  return lines.slice(0, NAMED).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}

/** What is wrong with a schema, one thing for each of its places. */
function explainSchema(errors: readonly ErrorObject[]): string {
  const places = new Map<string, ErrorObject>();
  for (const error of errors) {
    const { instancePath: place, keyword } = error;
    // A place that may hold one of several things is told of once for each: the words say most.
    const isBetter = keyword === "enum" || places.get(place)?.keyword === "anyOf";
    if (!places.has(place) || isBetter) places.set(place, error);
  }
  return firstOf([...places.values()].map(explainPlace));
}

function explainPlace({ instancePath, keyword, params, message, data }: ErrorObject): string {
  const where = nameOf(instancePath);
  const place = where === "" ? "it" : where;
  const allowed: unknown = params.allowedValues;
  if (keyword !== "enum" || !Array.isArray(allowed)) return `${place} ${message ?? "is not valid"}`;
  const words = allowed.map(String);
  const given = typeof data === "string" ? didYouMean(data, words) : "";
  return `${place} is ${shown(data)} and must be one of ${words.join(", ")}${given}`;
}

/** A value in a few characters. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

function explainOne(error: ErrorObject): string {
  const { keyword, message = "is not valid" } = error;
  const params: JsonObject = error.params;
  const where = nameOf(error.instancePath);
  switch (keyword) {
    case "required":
      return `${where === "" ? "" : `${where}: `}"${params.missingProperty}" is missing`;
    case "additionalProperties":
    case "unevaluatedProperties":
      return `${where === "" ? "" : `${where}: `}"${
        params.additionalProperty ?? params.unevaluatedProperty
      }" is not a parameter`;
    case "enum":
      return `${where} must be one of ${JSON.stringify(params.allowedValues)}`;
    case "const":
      return `${where} must be ${JSON.stringify(params.allowedValue)}`;
    case "pattern":
      return `${where} ${patternWords(error)}`;
    default:
      return `${where === "" ? "the arguments" : where} ${message}`;
  }
}

/** What a text should look like: schema libraries write patterns that nobody can read. */
function patternWords({ params, parentSchema }: ErrorObject): string {
  const pattern = shown(params.pattern);
  const format: unknown = parentSchema?.format;
  return typeof format === "string" && pattern.endsWith("…")
    ? `must be in the format ${format}`
    : `must match pattern ${pattern}`;
}

/** `/a/0/b~1c` → `"a[0].b/c"`. */
function nameOf(pointer: string): string {
  if (pointer === "") return "";
  const name = pointer.slice(1).split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part, index) => /^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)
    .join("");
  return `"${name}"`;
}
