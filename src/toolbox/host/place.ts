/**
 * Where in a tool file something went wrong, read from the text of an error.
 *
 * @module
 */

import type { Place } from "./protocol.ts";

/** A module's URL (Deno shows spaces and letters as they are) with line and column. */
const LOCATION = /(file:\/\/(?:(?!file:\/\/)[^\n])*?):(\d+):(\d+)/g;

const AT_LOCATION = /\s*(?:at|from) ["']?file:\/\/(?:(?!file:\/\/)[^\n])*?:\d+:\d+["']?/g;

/** The first place inside `directory` that the text names, else the first place at all. */
export function placeOf(text: string, directory: string): Place {
  let first: Place = {};
  for (const [, url, line, column] of text.matchAll(LOCATION)) {
    const file = pathOf(url ?? "");
    const place = { file, line: Number(line), column: Number(column) };
    if (file.startsWith(`${directory}/`)) return place;
    if (first.file === undefined) first = place;
  }
  return first;
}

/** The first line of a message, without the place that {@link placeOf} already gives. */
export function withoutPlace(message: string): string {
  const [line = ""] = message.split("\n");
  return line.replace(AT_LOCATION, "")
    .replace(/file:\/\/[^"'\n]+/g, pathOf)
    .replace(/^Uncaught (?:\(in promise\) )?/, "")
    .replace(/[.:]$/, "");
}

/** What to add to an error of the module loader when packages cannot be had: in a compiled binary. */
export function packageAdvice(message: string, isCompiled: boolean): string {
  const isPackage = /\b(?:npm|jsr):|not a dependency|bare specifier|Import ".*" not/i.test(message);
  return isCompiled && isPackage
    ? "; the compiled mm-repl cannot load packages, run it with deno to use this tool"
    : "";
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}
