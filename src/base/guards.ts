/**
 * Narrowing of unknown values, for everything that comes from outside.
 *
 * @module
 */

/**
 * A JSON object of unknown content.
 *
 * ```ts
 * import type { JsonObject } from "@mm/repl";
 *
 * const params: JsonObject = { sessionId: "s1", options: [] };
 * ```
 */
export type JsonObject = { readonly [key: string]: unknown };

/** True for an object that is neither `null` nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value when it is a string, else `undefined`. */
export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value when it is a finite number, else `undefined`. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The value when it is a boolean, else `undefined`. */
export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The value when it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value when it is a JSON object, else an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
