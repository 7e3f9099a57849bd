/**
 * Completion in the editor, with the program's proposals.
 *
 * @module
 */

import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "@earendil-works/pi-tui/dist/autocomplete.js";
import type { App } from "../../app/view.ts";
import { nameLine } from "../endless.ts";

/** Asks the program for proposals and puts the chosen one in. */
export class AppCompletion implements AutocompleteProvider {
  readonly triggerCharacters = ["@"];
  /** What is typed is one of the proposals that were made last, as a whole. */
  typedWhole = false;
  readonly #complete: App["complete"];

  constructor(complete: App["complete"]) {
    this.#complete = complete;
  }

  async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    { signal }: { signal: AbortSignal },
  ): Promise<AutocompleteSuggestions | null> {
    const before = lines.slice(0, cursorLine).reduce((sum, line) => sum + line.length + 1, 0);
    const text = lines.join("\n");
    const cursor = before + cursorCol;
    const { start, items } = await this.#complete(text, cursor);
    // A proposal that reaches back over the start of the line has no place in this one.
    if (signal.aborted || items.length === 0 || start < before || start > cursor) return null;
    const prefix = text.slice(start, cursor);
    this.typedWhole = items.some((item) => item.insert.trim() === prefix.trim());
    return {
      prefix,
      items: items.map(({ insert, label, description }) => ({
        value: insert,
        label: nameLine(label),
        ...(description === undefined ? {} : { description: nameLine(description) }),
      })),
    };
  }

  applyCompletion(
    lines: string[],
    cursorLine: number,
    cursorCol: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const line = lines[cursorLine] ?? "";
    const start = cursorCol - prefix.length;
    // A name may have lines of its own.
    const inserted = (line.slice(0, start) + item.value).split("\n");
    const last = inserted.at(-1) ?? "";
    return {
      lines: lines.toSpliced(
        cursorLine,
        1,
        ...inserted.slice(0, -1),
        last + line.slice(cursorCol),
      ),
      cursorLine: cursorLine + inserted.length - 1,
      cursorCol: last.length,
    };
  }
}
