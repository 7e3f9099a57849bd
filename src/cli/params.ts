/**
 * Arguments of tools and extension methods, as they are typed in a shell.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import type { OperandRow } from "./command.ts";

/** The operand that {@link parseParams} reads. */
export const PARAMS_OPERAND: OperandRow = {
  name: "params",
  description: "a JSON object, or key=value words whose values are JSON where they can be",
  optional: true,
  variadic: true,
};

/**
 * Reads the words: one JSON object or list, or `key=value` pairs; none are an empty object.
 *
 * @throws {MmError} `usage`
 */
export function parseParams(words: readonly string[]): unknown {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && /^\s*[[{]/.test(first)) {
    const read = parseJson(first);
    if (read.ok) return read.value;
    throw new MmError("usage", `Cannot read the arguments: ${read.reason}`);
  }
  const pairs = words.map((word) => {
    const equals = word.indexOf("=");
    if (equals < 1) {
      throw new MmError("usage", `Cannot read ${JSON.stringify(word)}: it is not key=value`, {
        hint: 'Or give one JSON object: \'{"key": "value"}\'.',
      });
    }
    const text = word.slice(equals + 1);
    const read = parseJson(text);
    return [word.slice(0, equals), read.ok ? read.value : text] as const;
  });
  return Object.fromEntries(pairs);
}

type Read =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

function parseJson(text: string): Read {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}
