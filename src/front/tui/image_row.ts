/**
 * Telling images from text among finished lines.
 *
 * @module
 */

/** Rows that are made first, the way up, and then the picture by one of the protocols. */
// deno-lint-ignore no-control-regex
const IMAGE = /^(?:\r\n)*(?:\x1b\[\d+A)?\r\x1b7\x1b(?:_G|\]1337;)/;

/** Whether a line is an image, which takes several rows and whose width means nothing. */
export function isImageRow(line: string): boolean {
  return IMAGE.test(line);
}
