/**
 * Telling images from text among finished lines.
 *
 * @module
 */

/** Whether a line is an image, which takes several rows and whose width means nothing. */
export function isImageRow(line: string): boolean {
  return line.includes("\x1b_G") || line.includes("\x1b]1337;");
}
