/**
 * Characters of Markdown that are written by their names: `&lt;`, `&nbsp;`, `&#8212;`.
 *
 * The component that renders Markdown shows them as they are written.
 *
 * @module
 */

import { decodeHTMLStrict } from "entities/decode";
import { sanitizeLine } from "../../base/sanitize.ts";
import { changeOutsideCode } from "./markdown_code.ts";

const ENTITY = /(?<!\\)(\\*)(&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)/g;
/** What Markdown would take for a mark of its own. A `&` is none any more. */
const MARK = /^[!#$%*+,\-./:;<=>?@[\\\]^_`{|}~]$/;

/** The source with those characters as they are meant; sanitised, as the source must be. */
export function decodeEntities(source: string): string {
  if (!source.includes("&")) return source;
  return changeOutsideCode(
    source,
    (text) =>
      text.replace(
        ENTITY,
        (found, escapes: string, entity: string) =>
          escapes.length % 2 === 1 ? found : escapes + decoded(entity),
      ),
  );
}

function decoded(entity: string): string {
  const character = decodeHTMLStrict(entity);
  if (character === entity) return entity;
  // A line that ends here would end a heading or a table with it.
  const safe = /^\s$/.test(character) && character !== "\xa0" ? " " : sanitizeLine(character);
  return MARK.test(safe) ? `\\${safe}` : safe;
}
