/**
 * Shapes of configuration values: each knows how to read a value with its position, and how to
 * describe itself as JSON Schema.
 *
 * @module
 */

import type { Node } from "jsonc-parser";
import type { JsonObject } from "../base/guards.ts";
import { nearestWord } from "./nearest.ts";

/** Where problems of a file are reported while it is read. */
export interface Report {
  /** A value that cannot be used. `key` is its dotted path. */
  error(node: Node, key: string, problem: string): void;
  /** Something that is left out or probably not meant. */
  warning(node: Node, key: string, problem: string): void;
}

/** The shape of one value. */
export interface Shape<T> {
  readonly schema: JsonObject;
  /** What a person calls it: `a string`, `one of …`. */
  readonly name: string;
  /** The value, or `undefined` after an error was reported. */
  read(node: Node, key: string, report: Report): T | undefined;
}

/** The type that a shape reads. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

/** A string. */
export const text: Shape<string> = scalar(
  "string",
  (value): value is string => typeof value === "string",
);

/** True or false. */
export const flag: Shape<boolean> = scalar(
  "boolean",
  (value): value is boolean => typeof value === "boolean",
);

/** A whole or broken number in a range, both ends included. */
export function number(
  range: { readonly min: number; readonly max: number; readonly whole?: boolean },
): Shape<number> {
  const name = `${range.whole ? "a whole number" : "a number"} from ${range.min} to ${range.max}`;
  return {
    name,
    schema: {
      type: range.whole ? "integer" : "number",
      minimum: range.min,
      maximum: range.max,
    },
    read(node, key, report) {
      const value: unknown = node.value;
      const good = typeof value === "number" && value >= range.min && value <= range.max &&
        (!range.whole || Number.isInteger(value));
      return good ? value : mismatch(this, node, key, report);
    },
  };
}

/** One of some words. */
export function oneOf<const W extends string>(words: readonly W[]): Shape<W> {
  return {
    name: `one of ${words.map((word) => `"${word}"`).join(", ")}`,
    schema: { enum: words },
    read(node, key, report) {
      const found = words.find((word) => word === node.value);
      return found ?? mismatch(this, node, key, report);
    },
  };
}

/** A list. */
export function list<T>(item: Shape<T>): Shape<readonly T[]> {
  return {
    name: "a list",
    schema: { type: "array", items: item.schema },
    read(node, key, report) {
      if (node.type !== "array") return mismatch(this, node, key, report);
      return (node.children ?? []).flatMap((child, index) => {
        const value = item.read(child, `${key}[${index}]`, report);
        return value === undefined ? [] : [value];
      });
    },
  };
}

/** An object with keys of the user's choice. `complete` says what is wrong with a value, if anything. */
export function record<T>(
  value: Shape<T>,
  complete: (name: string, value: T) => string | undefined = () => undefined,
): Shape<Readonly<Record<string, T>>> {
  return {
    name: "an object",
    schema: { type: "object", additionalProperties: value.schema },
    read(node, key, report) {
      if (node.type !== "object") return mismatch(this, node, key, report);
      const entries = properties(node, key, report).flatMap(([name, child]) => {
        const read = value.read(child, `${key}.${name}`, report);
        if (read === undefined) return [];
        const problem = complete(name, read);
        if (problem !== undefined) report.error(child, `${key}.${name}`, problem);
        return [[name, read] as const];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** Fields of an object shape: all are optional. */
export type Fields = Readonly<
  Record<string, { readonly shape: Shape<unknown>; readonly description: string }>
>;

/** What an object shape with these fields reads. */
export type FieldValues<F extends Fields> = {
  readonly [K in keyof F]?: Shaped<F[K]["shape"]>;
};

/** How an {@link object} is read. */
export interface ObjectOptions<V> {
  /**
   * What an unknown field is: an error where the rest would mean something else without it, e.g.
   * allow more. Default `warning`: it is left out.
   */
  readonly unknown?: "warning" | "error";
  /** Says what is wrong with the object as a whole, if anything. */
  readonly complete?: (value: V) => string | undefined;
}

/** An object with known fields. */
export function object<const F extends Fields>(
  fields: F,
  { unknown = "warning", complete = () => undefined }: ObjectOptions<FieldValues<F>> = {},
): Shape<FieldValues<F>> {
  return {
    name: "an object",
    schema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(fields).map((
          [name, field],
        ) => [name, { ...field.shape.schema, description: field.description }]),
      ),
      additionalProperties: false,
    },
    read(node, key, report) {
      if (node.type !== "object") return mismatch(this, node, key, report);
      let whole = true;
      const entries = properties(node, key, report).flatMap(([name, child, keyNode]) => {
        const inner = key === "" ? name : `${key}.${name}`;
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field === undefined) {
          const near = nearestWord(name, Object.keys(fields));
          const refused = unknown === "error";
          const known = refused ? `; known are ${Object.keys(fields).join(", ")}` : "";
          const advice = near === undefined ? known : `; did you mean "${near}"?`;
          const fate = refused ? "" : " and is left out";
          report[unknown](keyNode, inner, `is not a known key${fate}${advice}`);
          if (refused) whole = false;
          return [];
        }
        const value = field.shape.read(child, inner, report);
        if (value === undefined) whole = false;
        return value === undefined ? [] : [[name, value] as const];
      });
      const value = Object.fromEntries(entries) as FieldValues<F>;
      // What is missing because it was refused has been said already.
      const problem = whole ? complete(value) : undefined;
      if (problem === undefined) return value;
      report.error(node, key, problem);
      return undefined;
    },
  };
}

/** A value of one of two shapes of different types. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return {
    name: `${first.name} or ${second.name}`,
    schema: { anyOf: [first.schema, second.schema] },
    read(node, key, report) {
      const fitting = [first, second].find((shape) => shape.schema.type === node.type);
      return fitting === undefined
        ? mismatch(this, node, key, report)
        : fitting.read(node, key, report);
    },
  };
}

/** Properties in order as `[name, value, name's node]`; of a repeated name, the last. */
function properties(node: Node, key: string, report: Report): [string, Node, Node][] {
  const found = new Map<string, [string, Node, Node]>();
  for (const property of node.children ?? []) {
    const [nameNode, value] = property.children ?? [];
    if (nameNode === undefined || value === undefined) continue;
    const name = String(nameNode.value);
    if (found.has(name)) {
      const inner = key === "" ? name : `${key}.${name}`;
      report.warning(nameNode, inner, "is given twice; the last one counts");
    }
    found.set(name, [name, value, nameNode]);
  }
  return [...found.values()];
}

function scalar<T>(type: string, is: (value: unknown) => value is T): Shape<T> {
  return {
    name: type === "boolean" ? "true or false" : `a ${type}`,
    schema: { type },
    read(node, key, report) {
      const value: unknown = node.value;
      return is(value) ? value : mismatch(this, node, key, report);
    },
  };
}

function mismatch(shape: Shape<unknown>, node: Node, key: string, report: Report): undefined {
  report.error(node, key, `must be ${shape.name}, not ${describe(shape, node)}`);
  return undefined;
}

/** A value where that helps; only its type where a string was expected: it may be a secret. */
function describe(shape: Shape<unknown>, node: Node): string {
  if (node.type === "object") return "an object";
  if (node.type === "array") return "a list";
  if (node.type === "null") return "null";
  if (shape === text) return `a ${node.type}`;
  return JSON.stringify(node.value).slice(0, 60);
}
