/**
 * Choosing one of a question's options: by its number, or by arrow keys and Enter.
 *
 * @module
 */

import type { Question, QuestionOption } from "../../app/view.ts";
import { nameLine } from "../endless.ts";
import type { ViewContext } from "./entries/context.ts";
import type { Keymap } from "./keys.ts";
import { wrapBehind } from "./layout.ts";
import { DISMISSED, type PanelResult, PASSED, TAKEN } from "./question_result.ts";

/** How long a digit waits for a second one, when there are more than nine options. */
const DIGIT_MS = 800;

/** The options, and what of a choice has been typed. Without a preset nothing is chosen beforehand. */
export class OptionChoice {
  readonly #options: readonly QuestionOption[];
  readonly #keys: Keymap;
  /** Index of what Enter alone takes. */
  readonly #preset: number | undefined;
  #marked: number | undefined;
  #digits = "";

  constructor(
    { options, preset }: Pick<Question, "options" | "preset">,
    keys: Keymap,
  ) {
    this.#options = options;
    this.#keys = keys;
    const index = options.findIndex(({ id }) => id === preset);
    this.#preset = index < 0 ? undefined : index;
  }

  /** Number of the option that Enter takes as things stand, from 1; `undefined` for none. */
  get taken(): number | undefined {
    const taken = this.#marked ?? this.#preset;
    return taken === undefined ? undefined : taken + 1;
  }

  /** Something has been typed of it. */
  get begun(): boolean {
    return this.#digits !== "" || this.#marked !== undefined;
  }

  /** Digits that wait for another one. */
  get digits(): string {
    return this.#digits;
  }

  /** How long a digit waits for a second one, from now; `undefined` without a digit. */
  get wakeMs(): number | undefined {
    return this.#digits === "" ? undefined : DIGIT_MS;
  }

  /** No second digit has come: the first one is the answer. */
  takeDigits(): PanelResult {
    return this.#digits === "" ? PASSED : this.#pick(Number(this.#digits));
  }

  /** Nothing has been typed of it any more. */
  forget(): void {
    this.#digits = "";
    this.#marked = undefined;
  }

  /** Takes typed text. */
  text(text: string): PanelResult {
    if (this.#keys.is("viewAll", text)) return { type: "view" };
    if (!/^\d{1,3}$/.test(text)) {
      this.forget();
      return PASSED;
    }
    this.#digits += text;
    const number = Number(this.#digits);
    // With more than nine options a digit may be the first of two.
    if (number > 0 && number * 10 <= this.#options.length) return TAKEN;
    return this.#pick(number);
  }

  /** Takes a key. */
  key(data: string): PanelResult {
    const count = this.#options.length;
    if (this.#keys.is("viewAll", data)) return { type: "view" };
    if (this.#keys.is("close", data)) return DISMISSED;
    if (this.#keys.is("chooseDown", data) && count > 0) {
      this.#marked = this.#marked === undefined ? 0 : (this.#marked + 1) % count;
      return TAKEN;
    }
    if (this.#keys.is("chooseUp", data) && count > 0) {
      this.#marked = ((this.#marked ?? 0) + count - 1) % count;
      return TAKEN;
    }
    if (!this.#keys.is("choose", data)) return PASSED;
    if (this.#digits !== "") return this.#pick(Number(this.#digits));
    if (this.taken !== undefined) return this.#pick(this.taken);
    return { type: "taken", hint: "nothing is chosen yet: a digit or an arrow key chooses" };
  }

  /** The options with their numbers. */
  lines({ theme, width }: ViewContext): string[] {
    return this.#options.flatMap((option, index) => {
      const marked = index === this.#marked;
      const label = nameLine(option.label, "reveal");
      const hint = option.hint === undefined
        ? ""
        : theme.style("dim", ` (${nameLine(option.hint)})`);
      // Not like the numbers of the lines of a change, which may stand right above.
      const before = `${marked ? "▸" : " "} ${index + 1}) `;
      return wrapBehind(before, `${marked ? theme.style("selected", label) : label}${hint}`, width);
    });
  }

  #pick(number: number): PanelResult {
    this.#digits = "";
    const option = this.#options[number - 1];
    if (option === undefined) return { type: "taken", hint: `there is no option ${number}` };
    return { type: "answered", answer: { type: "option", id: option.id } };
  }
}
