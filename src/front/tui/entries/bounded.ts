/**
 * Long text, cut before it is laid out: wrapping a text of megabytes to show ten lines of it would
 * hold everything up.
 *
 * @module
 */

import type { Keep } from "./context.ts";

/** Characters that are laid out where only a few lines are shown. */
const FOLDED = 50_000;
/** Characters that are laid out where everything is to be shown. */
const WHOLE = 1_000_000;
/** How far behind the place of a cut a line may begin to be cut there. */
const LINE_SEARCH = 4_096;

/** The text, or its beginning or end with a line on what is left out. */
export function bounded(text: string, whole: boolean, keep: Keep = "start"): string {
  const most = whole ? WHOLE : FOLDED;
  if (text.length <= most) return text;
  if (keep === "start") {
    return `${text.slice(0, most)}\n… ${text.length - most} more characters`;
  }
  const end = endOf(text, most);
  return `… ${text.length - end.length} earlier characters\n${end}`;
}

/** The last `most` characters at most, from the start of a line where one is near. */
export function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  const newline = end.indexOf("\n");
  return newline >= 0 && newline < LINE_SEARCH ? end.slice(newline + 1) : end;
}
