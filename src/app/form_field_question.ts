/**
 * One field of a form as a question. What does not fit is asked again, with the reason.
 *
 * @module
 */

import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormValue,
  NumberField,
  TextField,
} from "../model/form.ts";
import {
  checkChoices,
  describeField,
  describeValue,
  type FormAnswer,
  parseNumber,
  parseText,
} from "../model/form_answer.ts";
import type { NewQuestion } from "./questions.ts";
import type { QuestionAnswer, QuestionOption } from "./view.ts";

/** What became of a field. */
export type FieldAnswer =
  | { readonly type: "value"; readonly value: FormValue }
  | { readonly type: "skipped" }
  /** One of the further options was chosen. */
  | { readonly type: "other"; readonly id: string }
  | { readonly type: "dismissed" };

/** How a field is asked. */
export interface FieldQuestionOptions {
  readonly ask: (question: NewQuestion) => Promise<QuestionAnswer>;
  readonly title: string;
  /** Lines that come before what the field says about itself. */
  readonly body: readonly string[];
  /** Further options of a choice. */
  readonly more: readonly QuestionOption[];
  /** What was answered before; else the field's own default is proposed. */
  readonly before?: FormValue;
}

const SKIP: QuestionOption = { id: "skip", label: "Leave it out" };
/** What is typed to leave out a field that has a proposal. */
const LEAVE_OUT = "-";
const DISMISSED: FieldAnswer = { type: "dismissed" };

/** A field's title, and whether it must be filled in. */
export function fieldTitle({ title, required }: FormField): string {
  return required ? `${title} (required)` : title;
}

/** Asks for one field. */
export function askField(field: FormField, options: FieldQuestionOptions): Promise<FieldAnswer> {
  switch (field.type) {
    case "text":
      return askLine(field, (text) => parseText(field, text), options);
    case "number":
      return askLine(field, (text) => parseNumber(field, text), options);
    case "boolean":
    case "choice":
      return askChoice(field, options);
    case "choices":
      return askChoices(field, options);
    case "unknown":
      return Promise.resolve({ type: "skipped" });
  }
}

/**
 * A line of text. An empty one keeps what is proposed, or leaves out what need not be there; what is
 * proposed and need not be there is left out with {@link LEAVE_OUT}.
 */
async function askLine(
  field: TextField | NumberField,
  parse: (text: string) => FormAnswer<string | number>,
  { ask, title, body, before }: FieldQuestionOptions,
): Promise<FieldAnswer> {
  const said = before ?? field.default;
  const proposal = said !== undefined && parse(String(said)).ok ? said : undefined;
  const mayLack = !field.required;
  const empty = proposal !== undefined
    ? `keeps ${String(proposal)}`
    : mayLack
    ? "leaves it out"
    : undefined;
  const advice = empty === undefined ? [] : [
    `Enter alone ${empty}${
      mayLack && proposal !== undefined ? `; ${LEAVE_OUT} leaves it out` : ""
    }.`,
  ];
  const lines = [...body, ...fieldLines(field), ...advice];
  let problem: string | undefined;
  for (;;) {
    const remark = problem === undefined ? [] : [`That does not do: ${problem}`];
    const typed = await ask({
      kind: "text",
      title,
      body: [...lines, ...remark],
      options: [],
      ...(empty === undefined ? {} : { empty }),
    });
    if (typed.type !== "text") return DISMISSED;
    const text = typed.text.trim();
    if (text === "" && proposal !== undefined) return { type: "value", value: proposal };
    if (mayLack && (text === "" || (proposal !== undefined && text === LEAVE_OUT))) {
      return { type: "skipped" };
    }
    const answer: FormAnswer<string | number> = text === ""
      ? { ok: false, problem: "it is required" }
      : parse(typed.text);
    if (answer.ok) return { type: "value", value: answer.value };
    problem = answer.problem;
  }
}

async function askChoice(
  field: BooleanField | ChoiceField,
  { ask, title, body, more, before }: FieldQuestionOptions,
): Promise<FieldAnswer> {
  const values: readonly (string | boolean)[] = field.type === "boolean"
    ? [true, false]
    : field.options.map((option) => option.value);
  const proposal = before ?? field.default;
  const options = values.map((value, index) => ({
    id: `${index}`,
    label: describeValue(field, value),
    ...hint(
      field.type === "boolean" ? undefined : field.options[index]?.description,
      value === proposal ? (before === undefined ? "default" : "as before") : undefined,
    ),
  }));
  const preset = values.findIndex((value) => value === proposal);
  const chosen = await ask({
    kind: "choice",
    title,
    body: [...body, ...fieldLines(field)],
    options: [...options, ...(field.required ? [] : [SKIP]), ...more],
    ...(preset < 0 ? {} : { preset: `${preset}` }),
  });
  if (chosen.type !== "option") return DISMISSED;
  if (chosen.id === SKIP.id) return { type: "skipped" };
  const value = values[Number(chosen.id)];
  return value === undefined ? { type: "other", id: chosen.id } : { type: "value", value };
}

/** Each choice switches one value on or off, until the person is done. */
async function askChoices(
  field: ChoicesField,
  { ask, title, body, before }: FieldQuestionOptions,
): Promise<FieldAnswer> {
  const start = Array.isArray(before) ? before : field.default ?? [];
  let chosen: ReadonlySet<string> = new Set(start);
  let problem: string | undefined;
  for (;;) {
    const values = field.options.map(({ value }) => value).filter((value) => chosen.has(value));
    const answer = await ask({
      kind: "choice",
      title,
      body: [
        ...body,
        ...fieldLines(field),
        ...(problem === undefined ? [] : [`That does not do: ${problem}`]),
      ],
      options: [
        ...field.options.map(({ value, label, description }, index) => ({
          id: `${index}`,
          label: `[${chosen.has(value) ? "x" : " "}] ${label}`,
          ...hint(description),
        })),
        { id: "done", label: `Done: ${describeValue(field, values)}` },
        ...(field.required ? [] : [SKIP]),
      ],
      ...(values.length > 0 ? { preset: "done" } : {}),
    });
    if (answer.type !== "option") return DISMISSED;
    if (answer.id === SKIP.id) return { type: "skipped" };
    problem = undefined;
    if (answer.id === "done") {
      const checked = checkChoices(field, values);
      if (checked.ok) return { type: "value", value: checked.value };
      problem = checked.problem;
      continue;
    }
    chosen = switched(chosen, field.options[Number(answer.id)]?.value);
  }
}

function switched(chosen: ReadonlySet<string>, value: string | undefined): ReadonlySet<string> {
  if (value === undefined) return chosen;
  return chosen.has(value)
    ? new Set([...chosen].filter((other) => other !== value))
    : new Set([...chosen, value]);
}

function fieldLines(field: FormField): readonly string[] {
  const words = describeField(field);
  return [
    ...(field.description === undefined ? [] : field.description.split("\n")),
    ...(words === "" ? [] : [words]),
  ];
}

function hint(...parts: readonly (string | undefined)[]): { readonly hint?: string } {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? {} : { hint: said.join("; ") };
}
