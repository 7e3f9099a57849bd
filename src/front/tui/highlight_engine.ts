/**
 * The highlighter itself, apart because it takes a while to load.
 *
 * @module
 */

import hljs from "highlight.js/lib/common";

/** Code as HTML with `hljs-…` classes; `undefined` for a language that is not known. */
export function highlightHtml(code: string, language: string): string | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined;
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
