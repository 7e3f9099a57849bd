/**
 * What was found out about the files of a tool directory, kept for as long as they are the same.
 *
 * @module
 */

import { asArray, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { parseRawTools } from "./host_messages.ts";
import type { RawTool } from "./host/protocol.ts";
import type { KnownFile } from "./tool_files.ts";

/** What else a description depends on; the number is that of the shape of what is kept. */
const MAKER = `2 ${Deno.version.deno}`;

/** What tool files said about themselves, by path below the directory. */
export type KnownDescriptions = ReadonlyMap<string, KnownDescription>;

/** The raw tools of a file. */
export interface KnownDescription {
  /** Of the sources that it was made from. */
  readonly key: string;
  readonly tools: readonly RawTool[];
  /** It said nothing in time: the next try may not take long. */
  readonly isHung?: boolean;
}

/** The memory of one directory. One that cannot be read or written is empty. */
export class DirectoryIndex {
  readonly #path: string;
  #files: ReadonlyMap<string, KnownFile>;
  #descriptions: KnownDescriptions;

  /** @param directory absolute */
  constructor(cacheDir: string, directory: string) {
    const name = createHash("sha256").update(directory).digest("hex").slice(0, 32);
    this.#path = join(cacheDir, "tools", `${name}.json`);
    const { files, descriptions } = parseIndex(readText(this.#path));
    this.#files = files;
    this.#descriptions = descriptions;
  }

  /** The files as they were when they were last read. */
  get files(): ReadonlyMap<string, KnownFile> {
    return this.#files;
  }

  get descriptions(): KnownDescriptions {
    return this.#descriptions;
  }

  /** Takes what holds from now on, and writes it when it is different. */
  async save(
    files: ReadonlyMap<string, KnownFile>,
    descriptions: KnownDescriptions,
  ): Promise<void> {
    if (isSame(files, this.#files) && isSame(descriptions, this.#descriptions)) return;
    this.#files = files;
    this.#descriptions = descriptions;
    const index = {
      maker: MAKER,
      files: Object.fromEntries(files),
      descriptions: Object.fromEntries(descriptions),
    };
    const temporary = `${this.#path}.${crypto.randomUUID()}`;
    try {
      await Deno.mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(temporary, JSON.stringify(index), { mode: 0o600 });
      await Deno.rename(temporary, this.#path);
    } catch {
      await Deno.remove(temporary).catch(() => {});
    }
  }
}

/** True when both hold the very same values. */
function isSame<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function parseIndex(text: string) {
  const index = parseObject(text);
  const known = index.maker === MAKER ? index : {};
  const files = Object.entries(asObject(known.files)).map(([name, value]) => {
    const { stamp, hash, mentions } = asObject(value);
    return [name, {
      stamp: asString(stamp) ?? "",
      hash: asString(hash) ?? "",
      mentions: asArray(mentions).filter((mention) => typeof mention === "string"),
    }] as const;
  });
  const descriptions = Object.entries(asObject(known.descriptions)).flatMap(([name, value]) => {
    const { key, tools, isHung } = asObject(value);
    const raw = parseRawTools(tools);
    if (raw === undefined) return [];
    const hung = isHung === true ? { isHung } : {};
    return [[name, { key: asString(key) ?? "", tools: raw, ...hung }] as const];
  });
  return { files: new Map(files), descriptions: new Map(descriptions) };
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
