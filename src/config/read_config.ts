/**
 * One configuration file as settings, with every problem in it named by its place.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import type { JsoncFile } from "./jsonc_file.ts";
import { type Settings, settingsShape } from "./settings.ts";
import type { Report } from "./shapes.ts";

/** One file's settings, and the lines of their keys. */
export interface ReadConfig {
  readonly file: string;
  readonly settings: Settings;
  readonly warnings: readonly string[];
  /** Line of a top-level key, from 1. */
  lineOf(key: string): number;
}

/**
 * Reads the settings of a parsed file.
 *
 * @throws {MmError} `config` with one line for each value that cannot be used.
 */
export function readConfig(file: JsoncFile): ReadConfig {
  const errors: string[] = [];
  const warnings: string[] = [];
  const at = (offset: number) => {
    const { line, column } = file.position(offset);
    return `${file.path}:${line}:${column}`;
  };
  const report: Report = {
    error: (node, key, problem) =>
      errors.push(`${at(node.offset)}: ${key || "the file"} ${problem}`),
    warning: (node, key, problem) =>
      warnings.push(`${at(node.offset)}: ${key || "the file"} ${problem}`),
  };
  const settings = file.root === undefined ? {} : settingsShape.read(file.root, "", report);
  if (settings === undefined || errors.length > 0) {
    throw new MmError("config", `Cannot use ${errors.join("\n")}`, {
      hint: "`mm-repl config schema` prints what each key takes.",
    });
  }
  const lineOf = (key: string) => {
    const property = file.root?.children?.find((one) => one.children?.[0]?.value === key);
    return file.position(property?.offset ?? 0).line;
  };
  return { file: file.path, settings, warnings, lineOf };
}
