/**
 * The last look at a row before the terminal gets it: nothing but text and our own sequences.
 *
 * What comes from outside is made safe where it is rendered; this is for what was forgotten there.
 *
 * @module
 */

import { NEVER_PLAIN, reveal } from "../../base/invisible.ts";
import { isImageRow } from "./image_row.ts";
import { fit } from "./layout.ts";

/** Attributes, and the two ends of a hyperlink. */
const OURS = String
  .raw`\x1b\[[\d;:]*m|\x1b\]8;[^\x00-\x1f\x7f-\x9f;]*;[^\x00-\x1f\x7f-\x9f]*\x1b\\`;
const SUSPECT = new RegExp(`(${OURS})|${NEVER_PLAIN.source}|[\\t\\n]`, "gu");
const PLAIN = /^[\x20-\x7e]*$/;
/** Most of the other rows: such characters and attributes. */
// deno-lint-ignore no-control-regex
const COLOURED = /^(?:[\x20-\x7e]|\x1b\[[\d;]*m)*$/;

/** The row as it may be written; as it is when there is nothing wrong with it. */
export function drawable(row: string, width: number): string {
  if (PLAIN.test(row) || COLOURED.test(row) || isImageRow(row)) return row;
  const safe = row.replace(SUSPECT, (found, ours: string | undefined) => ours ?? shown(found));
  return safe === row ? row : fit(safe, width);
}

function shown(character: string): string {
  if (character === "\t") return " ";
  return character === "\n" ? "⏎" : reveal(character);
}
