/**
 * The arguments of a tool, as a person types them.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { asObject, isObject, type JsonObject } from "../base/guards.ts";

/**
 * Reads words: one JSON object, or `key=value` pairs; none are an empty object. A value is JSON where
 * it can be, and plain text where it cannot, or where the schema wants a string.
 *
 * @throws {MmError} `usage`
 */
export function parseTypedArguments(
  words: readonly string[],
  schema: JsonObject | undefined,
): JsonObject {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && /^\s*[[{]/.test(first)) {
    const { value, reason = "they are not a JSON object" } = parseJson(first);
    if (isObject(value)) return value;
    throw new MmError("usage", `Cannot read the arguments: ${reason}`);
  }
  const properties = asObject(schema?.properties);
  const pairs = words.map((word) => {
    const equals = word.indexOf("=");
    if (equals < 1) {
      throw new MmError("usage", `Cannot read ${JSON.stringify(word)}: it is not key=value`, {
        hint: `Or give one JSON object: '{"key": "value"}'.`,
      });
    }
    const [key, text] = [word.slice(0, equals), word.slice(equals + 1)];
    const isText = asObject(properties[key]).type === "string";
    const { value = text } = isText ? {} : parseJson(text);
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}

function parseJson(text: string): { readonly value?: unknown; readonly reason?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: messageOf(error) };
  }
}
