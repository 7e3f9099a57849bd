/**
 * Output against its documented schema.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { asObject, isObject, type JsonObject } from "../../../src/base/guards.ts";
import { ROOT } from "../../support/project.ts";

/** A schema of `docs/`, and the same with every member forbidden that it does not name. */
export interface OutputSchema {
  readonly schema: JsonObject;
  readonly isValid: ValidateFunction;
  readonly isExact: ValidateFunction;
  /** Fails unless the value is exactly what the schema says. */
  assertExact(value: unknown): void;
}

/** Reads a schema. */
export async function loadSchema(name: string): Promise<OutputSchema> {
  const schema = asObject(JSON.parse(await Deno.readTextFile(`${ROOT}/docs/${name}`)));
  const isValid = compile(schema);
  const isExact = compile({ ...asObject(strict(schema)), $id: `${schema.$id}:exact` });
  return {
    schema,
    isValid,
    isExact,
    assertExact(value) {
      for (const check of [isValid, isExact]) {
        assert.ok(check(value), `${JSON.stringify(value)}\n${JSON.stringify(check.errors)}`);
      }
    },
  };
}

function compile(schema: JsonObject): ValidateFunction {
  return new Ajv2020({ allErrors: true, strict: false }).compile(schema);
}

function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties" || key === "$defs"
        ? Object.fromEntries(Object.entries(asObject(value)).map(([k, v]) => [k, strict(v)]))
        : strict(value),
    ]),
  );
  // Branches of a choice add to the members of what they belong to.
  return "properties" in schema && "type" in schema
    ? { ...inner, unevaluatedProperties: false }
    : inner;
}
