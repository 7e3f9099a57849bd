/**
 * The `deno.json` of a tool directory: what its bare imports mean.
 *
 * Only the imports are taken from it, and they hold for the modules of the directory alone. The rest
 * of the file could make Deno do things (install packages, run their scripts) before the user has
 * agreed to anything.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import { isObject, type JsonObject } from "../base/guards.ts";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { ImportMap } from "./host_command.ts";
import type { ToolFiles } from "./tool_files.ts";
import type { ToolProblem } from "./toolbox.ts";

const NAMES = ["deno.json", "deno.jsonc"];

/** What the configuration of a directory comes to. */
export interface ToolImports {
  readonly imports: ImportMap;
  readonly problems: readonly ToolProblem[];
}

/** The imports of a directory. What is wrong with them is a problem, and the rest holds. */
export function loadToolImports(files: ToolFiles): ToolImports {
  const name = NAMES.find((known) => files.files.has(known));
  if (name === undefined) return { imports: {}, problems: [] };
  const map = new MapReader(files, name);
  map.load();
  return { imports: map.imports, problems: map.problems };
}

/** A fault of a configuration file. */
class ConfigError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

class MapReader {
  readonly imports: { [scope: string]: { [name: string]: string } } = {};
  readonly problems: ToolProblem[] = [];
  readonly #files: ToolFiles;
  #file: string;

  constructor(files: ToolFiles, name: string) {
    this.#files = files;
    this.#file = join(files.root, name);
  }

  load(): void {
    try {
      const config = this.#parse();
      this.#take(config.importMap === undefined ? config : this.#open(config.importMap));
    } catch (error) {
      this.#report(messageOf(error), error instanceof ConfigError ? error.line : undefined);
    }
  }

  /** Only what is in the directory is known to be what the user agreed to. */
  #open(importMap: unknown): JsonObject {
    const file = join(dirname(this.#file), String(importMap));
    if (typeof importMap !== "string" || !this.#files.files.has(relative(this.#files.root, file))) {
      throw new ConfigError(
        `importMap: ${JSON.stringify(importMap)} is not a file of the tool directory`,
      );
    }
    this.#file = file;
    return this.#parse();
  }

  #take({ imports, scopes }: JsonObject): void {
    const root = pathToFileURL(`${this.#files.root}/`);
    this.#addScope(root.href, "imports", imports);
    if (scopes === undefined) return;
    if (!isObject(scopes)) return this.#report("scopes is not an object");
    for (const [scope, map] of Object.entries(scopes)) {
      const url = parseUrl(scope, this.#file);
      const label = `scopes: ${JSON.stringify(scope)}`;
      if (url?.startsWith(root.href)) this.#addScope(url, label, map);
      else this.#report(`${label} is not below the tool directory`);
    }
  }

  /** Adds imports as Deno reads them: a package also answers for what is below it. */
  #addScope(scope: string, label: string, map: unknown): void {
    if (map === undefined) return;
    if (!isObject(map)) return this.#report(`${label} is not an object`);
    const found = this.imports[scope] ??= {};
    for (const [name, target] of Object.entries(map)) {
      const isPath = typeof target === "string" && /^\.{0,2}\//.test(target);
      const url = isPath ? parseUrl(target, this.#file) : target;
      if (typeof url !== "string") {
        this.#report(`${label}: ${JSON.stringify(name)} does not say where its module is`);
        continue;
      }
      found[name] = url;
      const isPackage = /^(npm|jsr):/.test(url) && !name.endsWith("/");
      if (isPackage) found[`${name}/`] ??= `${url.replace(/^(npm|jsr):\/?/, "$1:/")}/`;
    }
  }

  #parse(): JsonObject {
    const errors: ParseError[] = [];
    const source = Deno.readTextFileSync(this.#file).replace(/^\uFEFF/, "");
    const value: unknown = parse(source, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first !== undefined) {
      const line = source.slice(0, first.offset).split("\n").length;
      throw new ConfigError(`is not valid JSON: ${printParseErrorCode(first.error)}`, line);
    }
    if (!isObject(value)) throw new ConfigError("is not an object");
    return value;
  }

  #report(reason: string, line?: number): void {
    this.problems.push({ file: this.#file, ...(line === undefined ? {} : { line }), reason });
  }
}

function parseUrl(text: string, file: string): string | undefined {
  const base = pathToFileURL(file);
  return URL.canParse(text, base) ? new URL(text, base).href : undefined;
}
