/**
 * Telling text from other bytes while they come.
 *
 * @module
 */

/** What people are told of bytes that are no text. */
export const NOT_TEXT = "stdin is not UTF-8 text: what cannot be read is sent as \uFFFD";

/** Tells of each piece whether all so far are UTF-8; without one, whether they end as such. */
export function watchText(): (piece?: Uint8Array) => boolean {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let good = true;
  return (piece) => {
    if (!good) return false;
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      good = false;
    }
    return good;
  };
}
