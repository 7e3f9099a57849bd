/**
 * Endless text from outside, cut to what a person can make use of.
 *
 * @module
 */

import { sanitizeLine } from "../base/sanitize.ts";

/** Characters of a name that are looked at: it is drawn again and again. */
const MAX_NAME = 500;

/** The name of anything in one line; of an endless one the beginning. Sanitised. */
export function nameLine(name: string, sequences: "drop" | "reveal" = "drop"): string {
  return beginning(name, MAX_NAME, sequences);
}

/** Characters of a path: no system takes longer ones. */
const MAX_PATH = 4_096;

/** A path or an address in one line, whole where there can be such a one. Sanitised. */
export function pathLine(path: string): string {
  return beginning(path, MAX_PATH, "reveal");
}

function beginning(text: string, most: number, sequences: "drop" | "reveal"): string {
  return sanitizeLine(text.length <= most ? text : `${text.slice(0, most)}…`, sequences);
}

/** Characters of a text to be approved that are shown: some thousand lines. */
const MAX_READABLE = 200_000;

/** The text, or as much of it as anybody could read, and how much more there is. Not sanitised. */
export function readable(text: string): string {
  const more = text.length - MAX_READABLE;
  return more <= 0 ? text : `${text.slice(0, MAX_READABLE)}\n… ${more} MORE CHARACTERS, NOT SHOWN`;
}
