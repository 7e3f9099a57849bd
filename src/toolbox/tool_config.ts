/**
 * The `deno.json` of a tool directory: what its bare imports mean.
 *
 * Only the imports are taken from it. The rest of the file could make Deno do things (install
 * packages, run their scripts) before the user has agreed to anything.
 *
 * @module
 */

import { messageOf } from "../base/errors.ts";
import { asObject, isObject, type JsonObject } from "../base/guards.ts";
import { parse, type ParseError, printParseErrorCode } from "jsonc-parser";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ImportMap } from "./host_command.ts";
import type { ToolProblem } from "./toolbox.ts";

const NAMES = ["deno.json", "deno.jsonc"];

/** The imports of a directory; a broken configuration gives none, and a problem. */
export function loadToolImports(
  directory: string,
): { readonly imports: ImportMap; readonly problems: readonly ToolProblem[] } {
  for (const name of NAMES) {
    const file = join(directory, name);
    let config: JsonObject;
    try {
      config = parseConfig(Deno.readTextFileSync(file));
      if (typeof config.importMap === "string") {
        const mapFile = join(directory, config.importMap);
        const map = parseConfig(Deno.readTextFileSync(mapFile));
        return { imports: readMap(map, dirname(mapFile)), problems: [] };
      }
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      const line = error instanceof ConfigError ? { line: error.line } : {};
      return {
        imports: readMap({}, directory),
        problems: [{ file, ...line, reason: messageOf(error) }],
      };
    }
    return { imports: readMap(config, directory), problems: [] };
  }
  return { imports: readMap({}, directory), problems: [] };
}

class ConfigError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

function parseConfig(text: string): JsonObject {
  const errors: ParseError[] = [];
  const source = text.replace(/^\uFEFF/, "");
  const value: unknown = parse(source, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return asObject(value);
  const line = source.slice(0, first.offset).split("\n").length;
  throw new ConfigError(`is not valid JSON: ${printParseErrorCode(first.error)}`, line);
}

function readMap(config: JsonObject, directory: string): ImportMap {
  const base = pathToFileURL(`${directory}/`);
  const scopes = Object.entries(asObject(config.scopes)).filter(([, map]) => isObject(map));
  return {
    imports: readImports(config.imports, base),
    scopes: Object.fromEntries(
      scopes.map(([scope, map]) => [new URL(scope, base).href, readImports(map, base)]),
    ),
  };
}

/** As Deno reads them: a package also answers for what is below it. */
function readImports(value: unknown, base: URL): { [name: string]: string } {
  const imports: { [name: string]: string } = {};
  for (const [name, target] of Object.entries(asObject(value))) {
    if (typeof target !== "string") continue;
    imports[name] = /^\.{0,2}\//.test(target) ? new URL(target, base).href : target;
    const isPackage = /^(npm|jsr):/.test(target) && !name.endsWith("/");
    if (isPackage) imports[`${name}/`] ??= `${target.replace(/^(npm|jsr):\/?/, "$1:/")}/`;
  }
  return imports;
}
