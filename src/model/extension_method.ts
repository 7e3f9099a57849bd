/**
 * Extension methods as rows: their parameters, and what is checked before a request is sent.
 *
 * @module
 */

import { isObject, type JsonObject } from "../base/guards.ts";

/** The kinds of values that a parameter takes; `any` is not checked. */
export const PARAMETER_TYPES = [
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "any",
] as const;

/** See {@link PARAMETER_TYPES}. */
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** One parameter. */
export interface ExtensionParameter {
  /** Default `any`. */
  readonly type?: ParameterType;
  /** Default false. */
  readonly required?: boolean;
  readonly description?: string;
}

/** One extension method. */
export interface ExtensionMethod {
  /** Its name on the wire, underscore included. */
  readonly method: string;
  readonly description: string;
  /** By name, the required ones first where the order is ours. Others may be sent as well. */
  readonly params: Readonly<Record<string, ExtensionParameter>>;
  /** What further parameters there may be, for people. */
  readonly further?: string;
}

/** What is wrong with params, one sentence part for each problem; empty when nothing is. */
export function checkParams(method: ExtensionMethod, params: unknown): string[] {
  if (!isObject(params)) {
    return Object.keys(method.params).length === 0 ? [] : ["the params must be an object"];
  }
  return Object.entries(method.params).flatMap(([name, parameter]) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return parameter.required ? [`${name} is missing`] : [];
    const { type = "any" } = parameter;
    return fits(type, value) ? [] : [`${name} must be ${article(type)}`];
  });
}

/** How a method is called, e.g. `_x.dev/find query=… [limit=…]`. */
export function describeCall({ method, params, further }: ExtensionMethod): string {
  const words = Object.entries(params).map(([name, { required }]) =>
    required ? `${name}=…` : `[${name}=…]`
  );
  return [method, ...words, ...(further === undefined ? [] : [`[${further}]`])].join(" ");
}

/**
 * Reads `key=value` words. A value is JSON where it can be, or what the parameter's type makes of
 * it: a string stays as it is, a list may be given with commas.
 *
 * @throws {Error} naming the word that is not a pair, or that is given twice.
 */
export function parsePairs(words: readonly string[], method?: ExtensionMethod): JsonObject {
  const names = new Set<string>();
  const pairs = words.map((word) => {
    const equals = word.indexOf("=");
    if (equals < 1) throw new Error(`params are key=value, and ${JSON.stringify(word)} is not`);
    const name = word.slice(0, equals);
    if (names.has(name)) throw new Error(`${JSON.stringify(name)} is given twice`);
    names.add(name);
    const params = method?.params ?? {};
    const type = Object.hasOwn(params, name) ? params[name]?.type ?? "any" : "any";
    return [name, parseValue(word.slice(equals + 1), type)] as const;
  });
  return Object.fromEntries(pairs);
}

function parseValue(text: string, type: ParameterType): unknown {
  if (type === "string") return text;
  try {
    const value: unknown = JSON.parse(text);
    // A long number, such as an id, would become another one.
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return text;
    if (type !== "array" || Array.isArray(value)) return value;
  } catch {
    // Not JSON: a plain word.
  }
  if (type !== "array") return text;
  return text.trim() === "" ? [] : text.split(",").map((item) => item.trim());
}

function fits(type: ParameterType, value: unknown): boolean {
  switch (type) {
    case "any":
      return true;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
  }
}

function article(type: ParameterType): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
