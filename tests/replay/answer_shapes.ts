/**
 * The shapes of a client's answers, as the protocol's own schema gives them.
 *
 * @module
 */

import schema from "@agentclientprotocol/sdk/schema/v1/schema.json" with { type: "json" };
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { asObject, isObject } from "../../src/base/guards.ts";

const SCHEMA_ID = "acp";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...schema, $id: SCHEMA_ID });

/** Validators of results by method. */
const SHAPES: ReadonlyMap<string, ValidateFunction> = new Map(
  Object.entries(asObject(schema.$defs)).flatMap(([name, definition]) => {
    const { "x-side": side, "x-method": method } = asObject(definition);
    if (side !== "client" || typeof method !== "string" || !name.endsWith("Response")) return [];
    return [[method, ajv.compile({ $ref: `${SCHEMA_ID}#/$defs/${name}` })] as const];
  }),
);

/** Says what is wrong with a result; `undefined` when nothing is, or the method is not ACP's. */
export function faultOfResult(method: string, result: unknown): string | undefined {
  const validate = SHAPES.get(method);
  // Where nothing is to be said, the protocol's pages write `null`, its schema an object.
  const value = result === null ? {} : result;
  if (validate === undefined || validate(value)) return undefined;
  return `${JSON.stringify(result)}: ${ajv.errorsText(validate.errors)}`;
}

/** Says what is wrong with a JSON-RPC error; `undefined` when nothing is. */
export function faultOfError(error: unknown): string | undefined {
  const { code, message } = asObject(error);
  const good = isObject(error) && Number.isInteger(code) && typeof message === "string" &&
    message !== "";
  return good ? undefined : `${JSON.stringify(error)} is no JSON-RPC error`;
}
