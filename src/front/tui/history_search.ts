/**
 * Searching what was entered before.
 *
 * @module
 */

import { nameLine } from "../endless.ts";
import type { InputEvent } from "./input_decoder.ts";
import type { Keymap } from "./keys.ts";
import { fit, widthOf } from "./layout.ts";
import type { Drawn } from "./prompt_editor.ts";
import type { Theme } from "./theme.ts";

/** What became of a key: the search goes on, or ends with a text or without. */
export type SearchResult =
  | { readonly type: "searching" }
  | { readonly type: "ended"; readonly text?: string };

const SEARCHING: SearchResult = { type: "searching" };

/** A search from the newest entry back. */
export class HistorySearch {
  readonly #entries: readonly string[];
  readonly #keys: Keymap;
  #query = "";
  #skip = 0;

  /** `entries`, oldest first. */
  constructor(entries: readonly string[], keys: Keymap) {
    this.#entries = [...new Set(entries.toReversed())];
    this.#keys = keys;
  }

  /** Takes a key or text. */
  handle(event: InputEvent): SearchResult {
    if (event.type === "text" || event.type === "paste") {
      this.#query += event.text.split("\n")[0] ?? "";
      this.#skip = 0;
    } else if (event.type === "key") {
      if (this.#keys.is("search", event.data)) {
        if (this.#skip + 1 < this.#matches().length) this.#skip++;
      } else if (this.#keys.is("backspace", event.data)) {
        this.#query = [...this.#query].slice(0, -1).join("");
        this.#skip = 0;
      } else if (this.#keys.is("submit", event.data)) {
        const text = this.#matches()[this.#skip];
        return text === undefined ? { type: "ended" } : { type: "ended", text };
      } else {
        return { type: "ended" };
      }
    }
    return SEARCHING;
  }

  /** The line of the search, and the match below it. */
  draw(width: number, theme: Theme): Drawn {
    const matches = this.#matches();
    const match = matches[this.#skip];
    const label = fit(`search: ${nameLine(this.#query, "reveal")}`, Math.max(1, width - 1));
    const found = match === undefined
      ? theme.style("warning", "nothing found")
      : `${nameLine(match)} ${theme.style("dim", `(${this.#skip + 1} of ${matches.length})`)}`;
    return {
      lines: [label, fit(`  ${found}`, width)],
      cursor: { row: 0, column: widthOf(label) },
    };
  }

  #matches(): readonly string[] {
    const query = this.#query.toLowerCase();
    return this.#entries.filter((entry) => entry.toLowerCase().includes(query));
  }
}
