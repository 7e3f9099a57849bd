/**
 * JSON Schemas of tools, as models are given them.
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMA_KEYWORDS: readonly string[] = [
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "then",
];

/** Keywords whose value holds schemas by name. */
const MAP_KEYWORDS: readonly string[] = ["$defs", "definitions", "patternProperties", "properties"];

/** Deeper schemas are left as they are. */
const DEEPEST = 64;

/**
 * A schema as models are given it, at every level: `required` and `enum` moved into the description,
 * `$schema` and `additionalProperties: false` taken out.
 */
export function simplifySchema(schema: JsonObject, depth = 0): JsonObject {
  const { required, enum: values, $schema: _, additionalProperties, ...rest } = schema;
  const description = [
    asString(rest.description),
    Array.isArray(values) ? `One of: ${values.map(valueText).join(", ")}.` : undefined,
    Array.isArray(required) && required.length > 0
      ? `Required parameters: ${required.map(valueText).join(", ")}`
      : undefined,
  ].filter((text) => text).join(" ");
  const simplified: { [key: string]: unknown } = {
    ...rest,
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties }),
    ...(description === "" ? {} : { description }),
  };
  if (depth >= DEEPEST) return simplified;
  const inner = (value: unknown) => isObject(value) ? simplifySchema(value, depth + 1) : value;
  for (const [keyword, value] of Object.entries(simplified)) {
    if (SCHEMA_KEYWORDS.includes(keyword)) {
      simplified[keyword] = Array.isArray(value) ? value.map(inner) : inner(value);
    }
    if (MAP_KEYWORDS.includes(keyword) && isObject(value)) {
      simplified[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, inner(member)]),
      );
    }
  }
  return simplified;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
