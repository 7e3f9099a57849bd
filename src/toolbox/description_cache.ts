/**
 * What tool files said about themselves, kept for as long as their sources are the same.
 *
 * @module
 */

import { asArray, asObject, isObject, type JsonObject } from "../base/guards.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RawTool } from "./host/protocol.ts";

/** What else a description depends on; the number is that of the shape of what is kept. */
const MAKER = `1 ${Deno.version.deno}`;

/** The descriptions of one directory. A cache that cannot be read or written is an empty one. */
export class DescriptionCache {
  readonly #path: string;
  readonly #entries: Map<string, unknown>;
  #isChanged = false;

  constructor(cacheDir: string, root: string) {
    const name = createHash("sha256").update(root).digest("hex").slice(0, 32);
    this.#path = join(cacheDir, "tools", `${name}.json`);
    this.#entries = new Map(Object.entries(load(this.#path)));
  }

  /** The raw tools of a file, when they were kept for the same sources. */
  get(name: string, key: string): RawTool[] | undefined {
    const entry = asObject(this.#entries.get(name));
    return entry.key === key
      ? asArray(entry.tools).filter(isObject) as unknown[] as RawTool[]
      : undefined;
  }

  set(name: string, key: string, tools: readonly RawTool[]): void {
    this.#entries.set(name, { key, tools });
    this.#isChanged = true;
  }

  /** Writes what changed; entries of other files than `names` are dropped. */
  async save(names: readonly string[]): Promise<void> {
    if (!this.#isChanged) return;
    const known = new Set(names);
    const entries = Object.fromEntries([...this.#entries].filter(([name]) => known.has(name)));
    const temporary = `${this.#path}.${crypto.randomUUID()}`;
    try {
      await Deno.mkdir(join(this.#path, ".."), { recursive: true, mode: 0o700 });
      await Deno.writeTextFile(temporary, JSON.stringify({ maker: MAKER, entries }), {
        mode: 0o600,
      });
      await Deno.rename(temporary, this.#path);
    } catch {
      await Deno.remove(temporary).catch(() => {});
    }
  }
}

function load(path: string): JsonObject {
  try {
    const cache = asObject(JSON.parse(Deno.readTextFileSync(path)));
    return cache.maker === MAKER ? asObject(cache.entries) : {};
  } catch {
    return {};
  }
}
