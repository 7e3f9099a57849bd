/**
 * Calls of extension methods: which are known, what is checked before sending, how answers look.
 *
 * @module
 */

import type { Client } from "../api/contract.ts";
import { MmError } from "../base/errors.ts";
import { asObject, isObject, type JsonObject } from "../base/guards.ts";
import { fromAgentError } from "../client/errors.ts";
import { nearestWord } from "../config/nearest.ts";
import type { Settings } from "../config/settings.ts";
import {
  advertisedExtensions,
  catalogFor,
  type ExtensionCatalog,
  helpLines,
  parseMethodList,
} from "../model/extension_catalog.ts";
import {
  checkParams,
  describeCall,
  type ExtensionMethod,
  parsePairs,
} from "../model/extension_method.ts";

/**
 * The lines that explain the methods a name stands for. `command` is what the person has typed, for
 * the hints.
 *
 * @throws {MmError} `usage` for no name, or one that is not known
 */
export function explainMethod(
  catalog: ExtensionCatalog,
  name: string,
  command: "/ext" | "mm-repl ext",
): readonly string[] {
  if (name === "") {
    throw new MmError("usage", "Cannot explain a method: none is named", {
      hint: `${command} help METHOD; ${command} lists them.`,
    });
  }
  const rows = catalog.resolve(name).flatMap((method) => catalog.find(method) ?? []);
  if (rows.length === 0) {
    throw new MmError("usage", `Cannot explain ${JSON.stringify(name)}: no such method is known`, {
      hint: `${command} lists those that are.`,
    });
  }
  return rows.flatMap(helpLines);
}

/** How long an agent may take to list its methods, in milliseconds. */
const LIST_MS = 5_000;

/** Lists longer or wider than this are shown as JSON. */
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 12;

/** A call that can be sent. */
export interface ExtensionCall {
  /** On the wire. */
  readonly method: string;
  readonly params: unknown;
}

/** What agents have said of their methods, by connection. */
const discovered = new WeakMap<object, Promise<readonly ExtensionMethod[]>>();
const known = new WeakMap<object, readonly ExtensionMethod[]>();

/** The extension methods that the configuration describes. */
export function configuredMethods(settings: Settings | undefined): readonly ExtensionMethod[] {
  return Object.entries(settings?.extensions ?? {}).map(([method, row]) => ({
    method,
    description: row.description ?? "",
    params: row.params ?? {},
    ...(row.further === undefined ? {} : { further: row.further }),
  }));
}

/** The methods that are known of a connected agent, after asking it for its own where it has such. */
export async function loadCatalog(
  client: Client,
  settings: Settings | undefined,
): Promise<ExtensionCatalog> {
  const { connection } = client;
  const asked = discovered.get(connection) ?? discoverMethods(client);
  discovered.set(connection, asked);
  known.set(connection, await asked);
  return knownCatalog(client, settings);
}

/** The same without waiting: what is known now. Asks in the background the first time. */
export function knownCatalog(client: Client, settings: Settings | undefined): ExtensionCatalog {
  const { connection, initialized } = client;
  const own = known.get(connection);
  if (own === undefined && !discovered.has(connection)) void loadCatalog(client, settings);
  return catalogFor(initialized.raw, configuredMethods(settings), own);
}

/** Asks every extension that an agent names for its methods; one that has no such list adds none. */
async function discoverMethods(client: Client): Promise<readonly ExtensionMethod[]> {
  const { raw, capabilities } = client.initialized;
  const lists = await Promise.all([...advertisedExtensions(raw)].map(async (extension) => {
    const places = [capabilities._meta, capabilities, raw._meta].map(asObject);
    const said = places.map((place) => asObject(place[extension]).methods)
      .find((methods) => methods !== undefined);
    if (said !== undefined) return parseMethodList(said);
    try {
      const timeoutMs = LIST_MS;
      return parseMethodList(await client.request(`${extension}/methods`, {}, { timeoutMs }));
    } catch {
      return [];
    }
  }));
  return lists.flat();
}

/** What {@link prepareCall} goes by. */
export interface PrepareOptions {
  readonly catalog: ExtensionCatalog;
  /** On the wire, or the end of such a name: `plan/status`. */
  readonly name: string;
  /** One JSON text, or `key=value` words. */
  readonly words: readonly string[];
  /** Whether params are checked against the catalog. Default true. */
  readonly check?: boolean;
}

/**
 * Finds the method and reads its params.
 *
 * @throws {MmError} `usage` for a name that means no method, or several; for params that cannot be
 * read, or that do not have what the method requires.
 */
export function prepareCall(options: PrepareOptions): ExtensionCall {
  const { catalog, name, words, check = true } = options;
  const [method, ...others] = catalog.resolve(name);
  if (method === undefined) {
    const near = nearestWord(
      name,
      catalog.methods.map((row) => row.method.replace(/^[^/]*\//, "")),
    );
    throw new MmError("usage", `Cannot call ${JSON.stringify(name)}: no such method is known`, {
      hint: near === undefined
        ? "Extension methods begin with an underscore; the end of a known one is enough."
        : `Did you mean ${near}?`,
    });
  }
  if (others.length > 0) {
    throw new MmError("usage", `Cannot call ${JSON.stringify(name)}: it may mean several methods`, {
      hint: [method, ...others].slice(0, 6).join(", "),
    });
  }
  const row = catalog.find(method);
  const params = readParams(words, method, row);
  const problems = row === undefined || !check ? [] : checkParams(row, params);
  if (row === undefined || problems.length === 0) return { method, params };
  throw new MmError("usage", `Cannot call ${method}: ${problems.join(", ")}`, {
    hint: `It is called so: ${describeCall(row)}`,
  });
}

function readParams(
  words: readonly string[],
  method: string,
  row: ExtensionMethod | undefined,
): unknown {
  const text = words.join(" ").trim();
  try {
    if (/^[[{]/.test(text)) return JSON.parse(text);
    return parsePairs(words, row);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MmError("usage", `Cannot call ${method}: ${why}`, {
      hint: `Params are key=value words, or one JSON object: {"key": "value"}.`,
    });
  }
}

/** Sends a call. Rejects with an `MmError` that has the agent's own as `rpc`. */
export async function sendCall(
  client: Client,
  { method, params }: ExtensionCall,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<unknown> {
  try {
    return await client.request(method, params, options);
  } catch (error) {
    throw fromAgentError(error, { what: `Cannot call ${method}`, method });
  }
}

/** Rows of cells below their heads. */
export interface AnswerTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * An answer as a table: a list of flat objects, or an object that holds nothing but one. Anything
 * else, and an empty list, is `undefined`.
 */
export function answerTable(answer: unknown): AnswerTable | undefined {
  const list = isObject(answer) && Object.keys(answer).length === 1
    ? Object.values(answer)[0]
    : answer;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ROWS) return undefined;
  if (!list.every(isFlat)) return undefined;
  const head = [...new Set(list.flatMap((row) => Object.keys(row)))];
  if (head.length === 0 || head.length > MAX_COLUMNS) return undefined;
  return { head, rows: list.map((row) => head.map((key) => cell(row[key]))) };
}

function isFlat(value: unknown): value is JsonObject {
  return isObject(value) &&
    Object.values(value).every((member) => typeof member !== "object" || member === null);
}

function cell(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}
