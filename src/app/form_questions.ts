/**
 * A form as questions, one after the other, and a summary before anything is sent.
 *
 * @module
 */

import type { Form, FormField, FormValue } from "../model/form.ts";
import { describeField, describeValue, remarkOn } from "../model/form_answer.ts";
import { askField, type FieldAnswer, fieldTitle } from "./form_field_question.ts";
import type { NewQuestion } from "./questions.ts";
import type { QuestionAnswer, QuestionOption } from "./view.ts";

/** The answer to `elicitation/create`. */
export type ElicitationResult =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: "decline" }
  | { readonly action: "cancel" };

/** Puts one question to the person. */
export type Ask = (question: NewQuestion) => Promise<QuestionAnswer>;

/** What is asked. */
export interface FormRequest {
  /** The agent's words. */
  readonly message: string;
  readonly form: Form;
}

const DECLINE: QuestionOption = { id: "decline", label: "Decline" };

/**
 * Asks for every field of a form. Declining is a choice; a question that is dismissed cancels the
 * whole form, and says so.
 */
export async function fillForm(request: FormRequest, askPerson: Ask): Promise<ElicitationResult> {
  const ask: Ask = (question) => askPerson({ ...question, dismissing: "cancels the form" });
  const { fields } = request.form;
  const [only] = fields;
  if (fields.length === 1 && (only?.type === "choice" || only?.type === "boolean")) {
    return await askOnly(request, only, ask);
  }
  const begun = await ask(introduction(request));
  if (begun.type !== "option") return { action: "cancel" };
  if (begun.id === DECLINE.id) return { action: "decline" };
  if (fields.length === 0) return { action: "accept", content: {} };
  let given: ReadonlyMap<string, FormValue> = new Map();
  for (;;) {
    const filled = await askFields(fields, given, ask);
    if (filled === undefined) return { action: "cancel" };
    const end = await ask(summary(fields, filled));
    if (end.type !== "option") return { action: "cancel" };
    if (end.id === DECLINE.id) return { action: "decline" };
    if (end.id === "send") return { action: "accept", content: Object.fromEntries(filled) };
    given = filled;
  }
}

/** A form of one choice is one question: choosing sends it. */
async function askOnly(
  { message, form }: FormRequest,
  field: FormField,
  ask: Ask,
): Promise<ElicitationResult> {
  const answer: FieldAnswer = await askField(field, {
    ask,
    title: "The agent asks",
    body: [...textOf(message), ...formLines(form), fieldTitle(field)],
    more: [DECLINE],
  });
  switch (answer.type) {
    case "value":
      return { action: "accept", content: Object.fromEntries([[field.name, answer.value]]) };
    case "skipped":
      return { action: "accept", content: {} };
    case "other":
      return { action: "decline" };
    case "dismissed":
      return { action: "cancel" };
  }
}

async function askFields(
  fields: readonly FormField[],
  given: ReadonlyMap<string, FormValue>,
  ask: Ask,
): Promise<ReadonlyMap<string, FormValue> | undefined> {
  const filled = new Map<string, FormValue>();
  const askable = fields.filter((field) => field.type !== "unknown");
  for (const [index, field] of askable.entries()) {
    const before = given.get(field.name);
    const answer = await askField(field, {
      ask,
      title: `${fieldTitle(field)} (${index + 1} of ${askable.length})`,
      body: [],
      more: [],
      ...(before === undefined ? {} : { before }),
    });
    if (answer.type === "value") filled.set(field.name, answer.value);
    else if (answer.type !== "skipped") return undefined;
  }
  return filled;
}

function introduction({ message, form }: FormRequest): NewQuestion {
  const { fields } = form;
  const missing = fields.filter((field) => field.type === "unknown" && field.required);
  const lines = fields.map((field) => {
    const words = describeField(field);
    return `- ${fieldTitle(field)}${words === "" ? "" : `: ${words}`}`;
  });
  const advice = fields.length === 0 ? [] : [
    missing.length > 0
      ? "A field that is required cannot be filled in here, so it can only be declined."
      : "What you answer goes to the agent: enter no passwords.",
  ];
  const fill = { id: "fill", label: fields.length === 0 ? "Accept" : "Fill it in" };
  return {
    kind: "choice",
    title: fields.length === 0 ? "The agent asks" : "The agent asks you to fill in a form",
    body: [...textOf(message), ...formLines(form), ...lines, ...advice],
    options: missing.length > 0 ? [DECLINE] : [fill, DECLINE],
  };
}

function summary(
  fields: readonly FormField[],
  filled: ReadonlyMap<string, FormValue>,
): NewQuestion {
  return {
    kind: "choice",
    title: "Send these answers to the agent?",
    body: fields.map((field) => {
      const value = filled.get(field.name);
      if (value === undefined) return `${field.title}: (left out)`;
      const remark = remarkOn(field, value);
      return `${field.title}: ${describeValue(field, value)}${remark === "" ? "" : ` (${remark})`}`;
    }),
    options: [
      { id: "send", label: "Send them" },
      { id: "change", label: "Go through them again" },
      DECLINE,
    ],
  };
}

function formLines({ title, description }: Form): readonly string[] {
  return [title, description].flatMap((text) => text === undefined ? [] : textOf(text));
}

function textOf(text: string): readonly string[] {
  return text.trim() === "" ? [] : text.trim().split("\n");
}
