/**
 * What of a Markdown source is code.
 *
 * @module
 */

/** Blocks between fences, the last of which may be open, then spans. */
const CODE = new RegExp(
  String.raw`^[ \t>*+-]*(?:\d{1,9}[.)][ \t]+)?(\x60{3,}|~{3,})[^\n]*` +
    String.raw`(?:\n[^]*?^[ \t>]*\1[\x60~]*[ \t]*$|[^]*)` +
    String.raw`|(?<!\x60)(\x60+)(?!\x60)[^]*?(?<!\x60)\2(?!\x60)`,
  "gm",
);
const INDENTED = /^(?: {4}|\t)/;

/** The source of a block with everything but its code changed. */
export function changeOutsideCode(source: string, change: (text: string) => string): string {
  if (INDENTED.test(source)) return source;
  let changed = "";
  let at = 0;
  for (const match of source.matchAll(CODE)) {
    changed += change(source.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return changed + change(source.slice(at));
}
