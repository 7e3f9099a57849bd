/**
 * The open question, above the editor.
 *
 * It has the focus when it is painted, and a key counts only when half a second has passed without
 * one, so that nothing typed for the editor answers it. What goes to the text in the editor takes
 * the focus there, and from then on every key is the text's, until the person comes back.
 *
 * @module
 */

import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
import type { Question, QuestionAnswer } from "../../app/view.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import type { InputEvent } from "./input_decoder.ts";
import type { Keymap } from "./keys.ts";
import { fit, widthOf, wrapBehind } from "./layout.ts";
import type { Drawn } from "./prompt_editor.ts";
import { askedEntry, questionLines } from "./question_body.ts";
import { nameLine } from "../endless.ts";
import type { ViewContext } from "./entries/context.ts";

/** Time without a key after which one counts, in milliseconds. */
export const QUIET_MS = 500;
/** How long a digit waits for a second one, when there are more than nine options. */
const DIGIT_MS = 800;

/** How the text in the editor stands. */
export interface DraftState {
  /** There is some. */
  readonly begun: boolean;
  /** Completions of it are listed. */
  readonly completing: boolean;
}

/** What became of an event. */
export type PanelResult =
  /** It was the question's; the panel may look different. */
  | { readonly type: "taken" }
  /** It is not for the question. */
  | { readonly type: "passed" }
  | { readonly type: "answered"; readonly answer: QuestionAnswer }
  /** The whole question shall be printed above. */
  | { readonly type: "view" };

const TAKEN: PanelResult = { type: "taken" };
const PASSED: PanelResult = { type: "passed" };

/** One question, as it is asked. */
export class QuestionPanel {
  readonly question: Question;
  /** When it was first painted. */
  readonly askedAt: number;
  readonly #keys: Keymap;
  readonly #now: () => number;
  readonly #input: Input | undefined;
  /** Keys are for the text in the editor. */
  #drafting = false;
  /** The person has come back from there: a key that is too early for an answer is no text either. */
  #returned = false;
  /** The last key, or the painting: a key counts half a second later. */
  #quietSince: number;
  #painted = false;
  #marked: number | undefined;
  #digits = "";
  #hint = "";
  #body: { readonly key: readonly unknown[]; readonly lines: readonly string[] } | undefined;

  constructor(question: Question, keys: Keymap, now: () => number) {
    this.question = question;
    this.#keys = keys;
    this.#now = now;
    this.askedAt = now();
    this.#quietSince = this.askedAt;
    if (question.kind === "text" || question.kind === "secret") {
      this.#input = new Input();
      this.#input.focused = true;
    }
  }

  /** How long a digit waits for a second one, from now; `undefined` without a digit. */
  get wakeMs(): number | undefined {
    return this.#digits === "" ? undefined : DIGIT_MS;
  }

  /** No second digit has come: the first one is the answer. */
  takeDigits(): PanelResult {
    return this.#digits === "" ? PASSED : this.#pick(Number(this.#digits));
  }

  /** An answer in a few words, for the transcript. A secret stays one. */
  describe(answer: QuestionAnswer): string {
    if (answer.type === "dismissed") return "dismissed";
    if (answer.type === "option") {
      const option = this.question.options.find((candidate) => candidate.id === answer.id);
      return sanitizeLine(option?.label ?? answer.id);
    }
    return this.question.kind === "secret" ? "answered" : sanitizeLine(answer.text);
  }

  /** Takes an event, or passes it on to the editor. */
  handle(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type === "focus" || event.type === "reply") return PASSED;
    if (this.#drafting) return this.#whileDrafting(event, draft);
    const result = this.#whileAsking(event, draft);
    if (result.type === "passed" && this.#continues(event, draft)) {
      this.#drafting = true;
      this.#returned = false;
      this.#hint = "";
      this.#digits = "";
      this.#marked = undefined;
    }
    return result;
  }

  /** The panel in at most `rows` rows; `remarks` stand above it. */
  draw(view: ViewContext, rows: number, remarks: readonly string[] = []): Drawn {
    if (!this.#painted) {
      this.#painted = true;
      this.#quietSince = this.#now();
    }
    const { theme, width } = view;
    const bar = theme.style("warning", "┃ ");
    const inner = { ...view, width: Math.max(1, width - 2) };
    const foot = this.#footLines(inner);
    const body = this.#bodyLines(inner);
    const waiting = remarks.map((remark) => theme.style("dim", fit(remark, inner.width)));
    const room = Math.max(1, rows - foot.lines.length - waiting.length);
    const shown = body.length <= room ? body : [
      ...body.slice(0, Math.max(0, room - 1)),
      theme.style(
        "warning",
        fit(
          `… ${body.length - Math.max(0, room - 1)} more lines: ${
            this.#keys.label("viewAll")
          } prints all`,
          inner.width,
        ),
      ),
    ];
    const above = [...waiting, ...shown];
    const lines = [...above, ...foot.lines].map((line) => fit(`${bar}${line}`, width));
    const cursor = foot.cursor === undefined || this.#drafting ? undefined : {
      row: above.length + foot.cursor.row,
      column: Math.min(width - 1, foot.cursor.column + 2),
    };
    return cursor === undefined ? { lines } : { lines, cursor };
  }

  /** Laid out again only when there is something else to show: it may be long. */
  #bodyLines(view: ViewContext): readonly string[] {
    const entry = askedEntry(this.question);
    const { width, theme } = view;
    const key = [entry, width, theme.name];
    if (this.#body === undefined || this.#body.key.some((part, index) => part !== key[index])) {
      this.#body = { key, lines: questionLines(this.question, view) };
    }
    return this.#body.lines;
  }

  get #typing(): boolean {
    return this.#input !== undefined && this.#input.getValue() !== "";
  }

  #whileAsking(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type === "paste") return this.#paste(event.text);
    const armed = this.#painted && this.#now() - this.#quietSince >= QUIET_MS;
    // Keys that follow one that counted belong to it: the second digit, the next arrow, more text.
    const goesOn = this.#digits !== "" || this.#marked !== undefined || this.#typing;
    if (!armed && !goesOn) {
      this.#quietSince = this.#now();
      return this.#unarmed(event, draft);
    }
    this.#hint = "";
    if (this.#input !== undefined) return this.#type(this.#input, event);
    return this.#choose(event);
  }

  /** Two keys give the focus back, unless they are for a list of completions; they answer nothing. */
  #whileDrafting(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type !== "key" || draft.completing) return PASSED;
    if (!this.#keys.is("back", event.data) && !this.#keys.is("close", event.data)) return PASSED;
    this.#drafting = false;
    this.#returned = true;
    this.#quietSince = this.#now();
    return TAKEN;
  }

  /** Whether an event that is not the question's writes, or changes, the text in the editor. */
  #continues(event: InputEvent, draft: DraftState): boolean {
    if (event.type === "text") return draft.begun || !this.#keys.is("help", event.text);
    return event.type === "paste" || draft.begun;
  }

  /** A key that came too early: what continues a text goes to the editor, no answer counts. */
  #unarmed(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type === "text") {
      if (draft.begun && !this.#returned || !/^[\dv]$/.test(event.text)) return PASSED;
      return this.#tooSoon();
    }
    if (event.type !== "key") return PASSED;
    const chooses = this.#keys.is("chooseUp", event.data) ||
      this.#keys.is("chooseDown", event.data);
    if (this.#returned && chooses) return this.#tooSoon();
    if (this.#keys.is("submit", event.data)) {
      this.#hint = "the question comes first: wait a moment, then answer";
      return TAKEN;
    }
    return this.#keys.is("close", event.data) ? TAKEN : PASSED;
  }

  #tooSoon(): PanelResult {
    this.#hint = "too soon after the last key: wait a moment, then answer";
    return TAKEN;
  }

  #paste(text: string): PanelResult {
    if (this.#input === undefined) return PASSED;
    this.#input.handleInput(`\x1b[200~${text}\x1b[201~`);
    return TAKEN;
  }

  #type(input: Input, event: InputEvent): PanelResult {
    const data = event.type === "text" ? event.text : event.type === "key" ? event.data : "";
    if (event.type === "key" && this.#keys.is("submit", data)) {
      return { type: "answered", answer: { type: "text", text: input.getValue() } };
    }
    if (this.#keys.is("close", data)) return { type: "answered", answer: { type: "dismissed" } };
    if (event.type === "key" && this.#keys.is("cancel", data)) return PASSED;
    input.handleInput(data);
    return TAKEN;
  }

  #choose(event: InputEvent): PanelResult {
    if (event.type === "text") return this.#chooseText(event.text);
    if (event.type !== "key") return PASSED;
    const count = this.question.options.length;
    if (this.#keys.is("close", event.data)) {
      return { type: "answered", answer: { type: "dismissed" } };
    }
    if (this.#keys.is("chooseDown", event.data) && count > 0) {
      this.#marked = this.#marked === undefined ? 0 : (this.#marked + 1) % count;
      return TAKEN;
    }
    if (this.#keys.is("chooseUp", event.data) && count > 0) {
      this.#marked = ((this.#marked ?? 0) + count - 1) % count;
      return TAKEN;
    }
    if (this.#keys.is("choose", event.data)) {
      if (this.#digits !== "") return this.#pick(Number(this.#digits));
      if (this.#marked !== undefined) return this.#pick(this.#marked + 1);
      this.#hint = "nothing is chosen yet: a digit or an arrow key chooses";
      return TAKEN;
    }
    return PASSED;
  }

  #chooseText(text: string): PanelResult {
    if (this.#keys.is("viewAll", text)) return { type: "view" };
    if (!/^\d{1,3}$/.test(text)) {
      this.#digits = "";
      this.#marked = undefined;
      this.#quietSince = this.#now();
      return PASSED;
    }
    this.#digits += text;
    const number = Number(this.#digits);
    // With more than nine options a digit may be the first of two.
    if (number > 0 && number * 10 <= this.question.options.length) return TAKEN;
    return this.#pick(number);
  }

  #pick(number: number): PanelResult {
    this.#digits = "";
    const option = this.question.options[number - 1];
    if (option === undefined) {
      this.#hint = `there is no option ${number}`;
      return TAKEN;
    }
    return { type: "answered", answer: { type: "option", id: option.id } };
  }

  #footLines(view: ViewContext): Drawn {
    if (this.#input !== undefined) return this.#inputLines(this.#input, view);
    const { theme, width } = view;
    const options = this.question.options.flatMap((option, index) => {
      const marked = index === this.#marked;
      const label = nameLine(option.label, "reveal");
      const hint = option.hint === undefined
        ? ""
        : theme.style("dim", ` (${nameLine(option.hint)})`);
      const before = `${marked ? "▸" : " "} ${index + 1}  `;
      const text = `${marked ? theme.style("selected", label) : label}${hint}`;
      return wrapBehind(before, text, width);
    });
    return { lines: [...options, this.#advice(view)] };
  }

  get #wayBack(): string {
    return `${this.#keys.label("back")}: back to the question`;
  }

  #advice({ theme, width }: ViewContext): string {
    if (this.#drafting) return theme.style("warning", fit(this.#wayBack, width));
    if (this.#hint !== "") return theme.style("warning", fit(this.#hint, width));
    const keys = this.question.options.length === 0 ? ["Esc dismisses"] : [
      "digit, or arrows and Enter",
      `${this.#keys.label("viewAll")} prints all`,
      this.question.kind === "permission" ? "Esc refuses" : "Esc dismisses",
    ];
    const digits = this.#digits === "" ? "" : `${this.#digits}_ · `;
    return theme.style("dim", fit(`${digits}${keys.join(" · ")}`, width));
  }

  #inputLines(input: Input, view: ViewContext): Drawn {
    const { theme, width } = view;
    const remark = this.#drafting ? this.#wayBack : this.#hint;
    const advice = remark === ""
      ? theme.style("dim", fit("Enter answers · Esc dismisses", width))
      : theme.style("warning", fit(remark, width));
    if (this.question.kind === "secret") {
      const dots = fit(`> ${"•".repeat([...input.getValue()].length)}`, width - 1);
      return { lines: [dots, advice], cursor: { row: 0, column: widthOf(dots) } };
    }
    const rendered = input.render(width)[0] ?? "";
    const at = rendered.indexOf(CURSOR_MARKER);
    // deno-lint-ignore no-control-regex
    const bare = (text: string) => text.replace(/\x1b_[^\x07]*\x07/g, "");
    const column = at < 0 ? 0 : widthOf(bare(rendered.slice(0, at)));
    return { lines: [bare(rendered).trimEnd(), advice], cursor: { row: 0, column } };
  }
}
