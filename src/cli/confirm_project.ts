/**
 * The question about what a project's configuration file would widen, asked before anything starts.
 *
 * @module
 */

import { sanitizeLine } from "../base/sanitize.ts";
import { confirmProject } from "../config/confirmations.ts";
import type { Paths } from "../config/paths.ts";
import type { ProjectRequest } from "../config/project_file.ts";
import { printErr } from "./output.ts";

/** Asks on the terminal; a yes is remembered for exactly these values. True for a yes. */
export async function confirmProjectFile(paths: Paths, request: ProjectRequest): Promise<boolean> {
  printErr(`This project's configuration file asks for more than your own allows:`);
  for (const line of requestLines(request)) printErr(`  ${line}`);
  if (!confirm("Use these settings, now and until they change?")) return false;
  try {
    await confirmProject(paths, request);
    return true;
  } catch (error) {
    printErr(`mm-repl: the answer cannot be remembered, so they are left out: ${String(error)}`);
    return false;
  }
}

/** What to say where nobody can be asked. */
export function leftOutLine(request: ProjectRequest): string {
  const keys = request.items.map((item) => item.key).join(", ");
  return sanitizeLine(
    `mm-repl: ${keys} of ${request.file} left out: they widen what your own configuration allows; start mm-repl in a terminal there to agree`,
  );
}

/** One line for each held setting, nothing hidden in it. */
function requestLines({ file, items }: ProjectRequest): string[] {
  return items.map(({ key, line, value }) =>
    sanitizeLine(`${file}:${line}: ${key} = ${value}`, "reveal")
  );
}
