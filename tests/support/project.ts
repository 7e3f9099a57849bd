/**
 * Where the project is, and its files.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { relative as relativePath } from "node:path";

/** Absolute path of the project's root, without a slash at its end. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** Absolute path of the program. */
export const MAIN = `${ROOT}/main.ts`;

/** The path of a `file:` URL. */
export function fromFileUrl(url: string): string {
  return fileURLToPath(url);
}

/** A path relative to the project's root. */
export function relative(path: string): string {
  return relativePath(ROOT, path);
}

/** All TypeScript files below a folder of the project, relative to its root, sorted. */
export async function sourceFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(`${ROOT}/${folder}`)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await sourceFiles(path));
    else if (entry.name.endsWith(".ts")) found.push(path);
  }
  return found.sort();
}
