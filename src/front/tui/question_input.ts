/**
 * Answering a question with a line of text, or with a secret.
 *
 * @module
 */

import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
import type { ViewContext } from "./entries/context.ts";
import type { Keymap } from "./keys.ts";
import { fit, widthOf } from "./layout.ts";
import type { Drawn } from "./prompt_editor.ts";
import { DISMISSED, type PanelResult, PASSED, TAKEN } from "./question_result.ts";
import { StandIns, withoutStandIns } from "./stand_ins.ts";

/** The line that is typed. */
export class LineInput {
  readonly #secret: boolean;
  readonly #keys: Keymap;
  readonly #standIns = new StandIns();
  readonly #input = new Input();

  /** What is typed of a secret is not shown. */
  constructor({ secret }: { readonly secret: boolean }, keys: Keymap) {
    this.#secret = secret;
    this.#keys = keys;
    this.#input.focused = true;
  }

  /** Something has been typed. */
  get begun(): boolean {
    return this.#input.getValue() !== "";
  }

  /** Takes pasted text, which never answers. */
  paste(text: string): PanelResult {
    // deno-lint-ignore no-control-regex
    const line = this.#standIns.put(text.replace(/[\x00-\x1f\x7f]/g, ""));
    this.#input.handleInput(`\x1b[200~${line}\x1b[201~`);
    return TAKEN;
  }

  /** Takes typed text. */
  text(text: string): PanelResult {
    this.#input.handleInput(this.#standIns.put(text));
    return TAKEN;
  }

  /** Takes a key. */
  key(data: string): PanelResult {
    if (this.#keys.is("submit", data)) {
      const text = this.#standIns.takeOut(this.#input.getValue());
      return { type: "answered", answer: { type: "text", text } };
    }
    if (this.#keys.is("close", data)) return DISMISSED;
    if (this.#keys.is("cancel", data)) return PASSED;
    this.#input.handleInput(data);
    return TAKEN;
  }

  /** The line, and where the cursor stands in it. */
  draw({ width }: ViewContext): Drawn {
    if (this.#secret) {
      const dots = fit(`> ${"•".repeat([...this.#input.getValue()].length)}`, width - 1);
      return { lines: [dots], cursor: { row: 0, column: widthOf(dots) } };
    }
    const rendered = this.#input.render(width)[0] ?? "";
    const at = rendered.indexOf(CURSOR_MARKER);
    const column = at < 0 ? 0 : widthOf(bare(rendered.slice(0, at)));
    return { lines: [bare(rendered).trimEnd()], cursor: { row: 0, column } };
  }
}

function bare(line: string): string {
  // deno-lint-ignore no-control-regex
  return withoutStandIns(line.replace(/\x1b_[^\x07]*\x07/g, ""));
}
