/**
 * JSON from outside.
 *
 * @module
 */

/** What a text says in JSON; `undefined`, which JSON cannot say, for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
