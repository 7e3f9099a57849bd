/**
 * The open question, above the editor.
 *
 * It has the focus when it is painted, and a key counts only when half a second has passed without
 * one, so that nothing typed for the editor answers it. What goes to the text in the editor takes
 * the focus there, and from then on every key is the text's, until the person comes back.
 *
 * @module
 */

import type { Question, QuestionAnswer } from "../../app/view.ts";
import { askedCall } from "../asked_call.ts";
import { nameLine } from "../endless.ts";
import type { Folded, ViewContext } from "./entries/context.ts";
import type { InputEvent } from "./input_decoder.ts";
import type { Keymap } from "./keys.ts";
import { fit } from "./layout.ts";
import type { Drawn } from "./prompt_editor.ts";
import { questionLines } from "./question_body.ts";
import { OptionChoice } from "./question_choice.ts";
import { LineInput } from "./question_input.ts";
import { type PanelResult, PASSED, TAKEN } from "./question_result.ts";

/** Time without a key after which one counts, in milliseconds. */
export const QUIET_MS = 500;
/** Rows of what is asked that are laid out for the panel: more than any screen has. */
const MAX_ROWS = 500;

/** How the text in the editor stands. */
export interface DraftState {
  /** There is some. */
  readonly begun: boolean;
  /** Completions of it are listed. */
  readonly completing: boolean;
}

const TOO_SOON: PanelResult = {
  type: "taken",
  hint: "too soon after the last key: wait a moment, then answer",
};

/** One question, as it is asked. */
export class QuestionPanel {
  readonly question: Question;
  readonly #keys: Keymap;
  readonly #now: () => number;
  readonly #askedAt: number;
  readonly #choice: OptionChoice;
  readonly #input: LineInput | undefined;
  /** Keys are for the text in the editor. */
  #drafting = false;
  /** The person has come back from there: a key that is too early for an answer is no text either. */
  #returned = false;
  /** The last key, or the painting: a key counts half a second later. */
  #quietSince: number;
  #painted = false;
  #hint = "";
  #body: { readonly key: readonly unknown[]; readonly body: Folded } | undefined;

  constructor(question: Question, keys: Keymap, now: () => number) {
    this.question = question;
    this.#keys = keys;
    this.#now = now;
    this.#askedAt = now();
    this.#quietSince = this.#askedAt;
    this.#choice = new OptionChoice(question, keys);
    if (question.kind === "text" || question.kind === "secret") {
      this.#input = new LineInput({ secret: question.kind === "secret" }, keys);
    }
  }

  /** For how long it waits for its answer, in milliseconds. */
  get waitedMs(): number {
    return this.#now() - this.#askedAt;
  }

  /** Keys are for the text in the editor. */
  get drafting(): boolean {
    return this.#drafting;
  }

  /** How long a digit waits for a second one, from now; `undefined` without a digit. */
  get wakeMs(): number | undefined {
    return this.#choice.wakeMs;
  }

  /** No second digit has come: the first one is the answer. */
  takeDigits(): PanelResult {
    return this.#noted(this.#choice.takeDigits());
  }

  /** An answer in a few words, for the transcript. A secret stays one. */
  describe(answer: QuestionAnswer): string {
    if (answer.type === "dismissed") return "dismissed";
    if (answer.type === "option") {
      const option = this.question.options.find((candidate) => candidate.id === answer.id);
      return nameLine(option?.label ?? answer.id);
    }
    return this.question.kind === "secret" ? "answered" : nameLine(answer.text);
  }

  /** Takes an event, or passes it on to the editor. */
  handle(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type === "focus" || event.type === "reply") return PASSED;
    if (this.#drafting) return this.#whileDrafting(event, draft);
    const result = this.#noted(this.#whileAsking(event, draft));
    if (result.type === "passed" && this.#continues(event, draft)) {
      this.#drafting = true;
      this.#returned = false;
      this.#hint = "";
      this.#choice.forget();
    }
    return result;
  }

  /** The focus comes back from the text; the next key needs the quiet again. */
  comeBack(): void {
    this.#drafting = false;
    this.#returned = true;
    this.#quietSince = this.#now();
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
    const body = this.#bodyOf(inner);
    const waiting = remarks.map((remark) => theme.style("dim", fit(remark, inner.width)));
    const room = Math.max(1, rows - foot.lines.length - waiting.length);
    const shown = this.#fitting(body, room, inner);
    // What is asked and what can be chosen must not run together, where there is room.
    const isApart = this.question.toolCallId !== undefined && shown.length < room;
    const above = [...waiting, ...shown, ...(isApart ? [""] : [])];
    const lines = [...above, ...foot.lines].map((line) =>
      fit(line === "" ? theme.style("warning", "┃") : `${bar}${line}`, width)
    );
    const cursor = foot.cursor === undefined || this.#drafting ? undefined : {
      row: above.length + foot.cursor.row,
      column: Math.min(width - 1, foot.cursor.column + 2),
    };
    return cursor === undefined ? { lines } : { lines, cursor };
  }

  #fitting({ lines, hidden }: Folded, room: number, { theme, width }: ViewContext) {
    if (lines.length <= room && hidden === 0) return lines;
    const shown = lines.slice(0, Math.max(0, room - 1));
    const more = lines.length - shown.length + hidden;
    const note = `… ${more} more lines: ${this.#keys.label("viewAll")} prints all`;
    return [...shown, theme.style("warning", fit(note, width))];
  }

  /** Laid out again only when there is something else to show: it may be long. */
  #bodyOf(view: ViewContext): Folded {
    const entry = askedCall(this.question);
    const { width, theme } = view;
    const key = [entry, width, theme.name];
    if (this.#body === undefined || this.#body.key.some((part, index) => part !== key[index])) {
      this.#body = { key, body: questionLines(this.question, view, MAX_ROWS) };
    }
    return this.#body.body;
  }

  #noted(result: PanelResult): PanelResult {
    if (result.type === "taken") this.#hint = result.hint ?? "";
    return result;
  }

  #whileAsking(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type === "paste") return this.#input?.paste(event.text) ?? PASSED;
    const armed = this.#painted && this.#now() - this.#quietSince >= QUIET_MS;
    // Keys that follow one that counted belong to it: the second digit, the next arrow, more text.
    const goesOn = this.#choice.begun || this.#input?.begun === true;
    if (!armed && !goesOn) {
      this.#quietSince = this.#now();
      return this.#unarmed(event, draft);
    }
    this.#hint = "";
    const taker = this.#input ?? this.#choice;
    if (event.type === "key") return taker.key(event.data);
    if (event.type !== "text") return PASSED;
    const result = taker.text(event.text);
    if (result.type === "passed") this.#quietSince = this.#now();
    return result;
  }

  /** Two keys give the focus back, unless they are for a list of completions; they answer nothing. */
  #whileDrafting(event: InputEvent, draft: DraftState): PanelResult {
    if (event.type !== "key" || draft.completing) return PASSED;
    if (!this.#keys.is("back", event.data) && !this.#keys.is("close", event.data)) return PASSED;
    this.comeBack();
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
      const answers = /^\d$/.test(event.text) || this.#keys.is("viewAll", event.text);
      if (draft.begun && !this.#returned || !answers) return PASSED;
      return TOO_SOON;
    }
    if (event.type !== "key") return PASSED;
    const chooses = this.#keys.is("chooseUp", event.data) ||
      this.#keys.is("chooseDown", event.data);
    if (this.#returned && chooses) return TOO_SOON;
    if (this.#keys.is("submit", event.data)) {
      return { type: "taken", hint: "the question comes first: wait a moment, then answer" };
    }
    return this.#keys.is("close", event.data) ? TAKEN : PASSED;
  }

  #footLines(view: ViewContext): Drawn {
    const answer: Drawn = this.#input?.draw(view) ?? { lines: this.#choice.lines(view) };
    return { ...answer, lines: [...answer.lines, this.#advice(view)] };
  }

  /** What can be typed, or why what was typed did nothing. */
  #advice({ theme, width }: ViewContext): string {
    const remark = this.#drafting
      ? `${this.#keys.label("back")}: back to the question · you are typing a prompt`
      : this.#hint;
    if (remark !== "") return theme.style("warning", fit(remark, width));
    const digits = this.#choice.digits === "" ? "" : `${this.#choice.digits}_ · `;
    return theme.style("dim", fit(`${digits}${this.#keyWords().join(" · ")}`, width));
  }

  #choosing(): string {
    const [{ taken }, key] = [this.#choice, this.#keys.label("choose")];
    return taken === undefined
      ? `digit, or arrows and ${key}`
      : `digit, or arrows; ${key} takes ${taken}`;
  }

  #keyWords(): readonly string[] {
    const { kind, options, dismissing } = this.question;
    const refusing = kind === "permission" && options.length > 0 ? "refuses" : "dismisses";
    const close = `${this.#keys.label("close")} ${dismissing ?? refusing}`;
    if (this.#input !== undefined) return [`${this.#keys.label("submit")} answers`, close];
    if (options.length === 0) return [close];
    return [
      this.#choosing(),
      `${this.#keys.label("viewAll")} prints all`,
      close,
    ];
  }
}
