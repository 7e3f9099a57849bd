/**
 * The extension methods that are known of an agent: from our tables, the user's, and what the agent
 * says itself.
 *
 * @module
 */

import { asArray, asBoolean, asString, isObject, type JsonObject } from "../base/guards.ts";
import { CLEVERAGENTS, CLEVERAGENTS_METHODS } from "./cleveragents_catalog.ts";
import {
  describeCall,
  type ExtensionMethod,
  type ExtensionParameter,
  PARAMETER_TYPES,
} from "./extension_method.ts";

/** Most methods that are taken from an agent. */
const MAX_METHODS = 1_000;

/** One proposal while a call is typed. */
export interface ExtensionProposal {
  /** Replaces everything typed so far. */
  readonly insert: string;
  readonly label: string;
  readonly description: string;
}

/** Known methods, later tables over earlier ones. */
export class ExtensionCatalog {
  readonly #rows = new Map<string, ExtensionMethod>();

  constructor(...tables: readonly (readonly ExtensionMethod[])[]) {
    for (const row of tables.flat()) this.#rows.set(row.method, row);
  }

  /** All methods, in the order of the tables. */
  get methods(): readonly ExtensionMethod[] {
    return [...this.#rows.values()];
  }

  /** The row of a method, by its name on the wire. */
  find(method: string): ExtensionMethod | undefined {
    return this.#rows.get(method);
  }

  /**
   * The names on the wire that a name may mean: itself when it begins with an underscore, else the
   * methods that end with it (`plan/status`), shortest first.
   */
  resolve(name: string): readonly string[] {
    if (name.startsWith("_")) return [name];
    return this.methods
      .map(({ method }) => method)
      .filter((method) => method.endsWith(`/${name}`))
      .sort((a, b) => a.length - b.length);
  }

  /** Methods, then the parameters of the method that were not given yet. */
  complete(typed: string): readonly ExtensionProposal[] {
    const words = typed.split(/\s+/);
    const [name = ""] = words;
    if (words.length === 1) {
      return this.methods.map((row) => ({
        insert: Object.keys(row.params).length === 0 ? row.method : `${row.method} `,
        label: row.method,
        description: row.description,
      }));
    }
    const row = this.find(this.resolve(name)[0] ?? name);
    const before = typed.slice(0, typed.length - (words.at(-1) ?? "").length);
    const given = new Set(words.slice(1, -1).map((word) => word.split("=")[0]));
    return Object.entries(row?.params ?? {})
      .filter(([parameter]) => !given.has(parameter))
      .map(([parameter, { required, description = "" }]) => ({
        insert: `${before}${parameter}=`,
        label: `${parameter}=`,
        description: required ? description : `${description} (optional)`.trim(),
      }));
  }
}

/** The catalog for an agent that answered `initialize` with `raw`. Ours only where it fits. */
export function catalogFor(
  raw: JsonObject,
  user: readonly ExtensionMethod[],
  discovered: readonly ExtensionMethod[] = [],
): ExtensionCatalog {
  const ours = advertises(raw, CLEVERAGENTS) ? CLEVERAGENTS_METHODS : [];
  // What an agent says of a method that we know is mostly its name alone.
  const news = discovered.filter(({ method }) => !ours.some((row) => row.method === method));
  return new ExtensionCatalog(ours, news, user);
}

/**
 * The extensions that an agent names in its answer to `initialize`: keys with an underscore in the
 * answer, its capabilities and their `_meta`, and what lists of extensions there hold.
 */
export function advertisedExtensions(raw: JsonObject): ReadonlySet<string> {
  const capabilities = isObject(raw.agentCapabilities) ? raw.agentCapabilities : {};
  const places = [raw, raw._meta, capabilities, capabilities._meta, capabilities.extensions];
  const names = places.flatMap((place) =>
    isObject(place)
      ? Object.keys(place).filter((key) => place[key] !== false && place[key] !== null)
      : asArray(place).filter((item) => typeof item === "string")
  );
  return new Set(
    names
      .filter((name) => name.startsWith("_") && name !== "_meta")
      .map((name) => name.split("/")[0] ?? name),
  );
}

/** Whether an agent names an extension in its answer to `initialize`. */
export function advertises(raw: JsonObject, extension: string): boolean {
  return advertisedExtensions(raw).has(extension);
}

/**
 * Reads what an agent says of its methods: a list, or an object with a list `methods`, of names or
 * of objects with `method` (or `name`), `description` and `params` (by name, as a list, or as a JSON
 * Schema). What cannot be read is left out.
 */
export function parseMethodList(value: unknown): readonly ExtensionMethod[] {
  const list = isObject(value) ? value.methods : value;
  return asArray(list).slice(0, MAX_METHODS).flatMap((item): ExtensionMethod[] => {
    const row = isObject(item) ? item : { method: item };
    const method = asString(row.method) ?? asString(row.name);
    if (method === undefined || !/^_\S+$/.test(method)) return [];
    const description = asString(row.description) ?? "";
    return [{ method, description, params: parseParameters(row.params) }];
  });
}

function parseParameters(raw: unknown): ExtensionMethod["params"] {
  if (Array.isArray(raw)) {
    return Object.fromEntries(raw.flatMap((item) => {
      const name = isObject(item) ? asString(item.name) : asString(item);
      return name === undefined ? [] : [[name, parseParameter(item)]];
    }));
  }
  if (!isObject(raw)) return {};
  const isSchema = isObject(raw.properties);
  const params = isObject(raw.properties) ? raw.properties : raw;
  const required = new Set(isSchema ? asArray(raw.required) : []);
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const parameter = parseParameter(value);
      return [name, required.has(name) ? { ...parameter, required: true } : parameter];
    }),
  );
}

function parseParameter(raw: unknown): ExtensionParameter {
  if (!isObject(raw)) return {};
  const named = raw.type === "integer" ? "number" : raw.type;
  const type = PARAMETER_TYPES.find((known) => known === named);
  const description = asString(raw.description);
  return {
    ...(type === undefined ? {} : { type }),
    ...(asBoolean(raw.required) === true ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
  };
}

/** What a person needs to know to call a method, as plain lines. */
export function helpLines(row: ExtensionMethod): readonly string[] {
  return [
    describeCall(row),
    ...(row.description === "" ? [] : [`  ${row.description}`]),
    ...Object.entries(row.params).map(([name, { type = "any", required, description }]) =>
      [`  ${name}: ${type}${required ? "" : ", optional"}`, description ?? ""]
        .filter((part) => part !== "").join(". ")
    ),
    ...(row.further === undefined ? [] : [`  and ${row.further}`]),
  ];
}
