/**
 * The keys with which a person gives the recorded answer to a form.
 *
 * @module
 */

import { asArray, asObject, asString, type JsonObject } from "../../src/base/guards.ts";
import { type FormField, parseForm } from "../../src/model/form.ts";

/** Keys that are pressed when a question is seen. */
export interface KeyPress {
  /** What the screen shows while the question is asked, and not after it. */
  readonly question: RegExp;
  readonly keys: string;
}

const ESCAPE = "\x1b";
const ENTER = "\r";

/** Gives the keys for the params of `elicitation/create` and the result that they lead to. */
export function formKeys(params: JsonObject, result: JsonObject): readonly KeyPress[] {
  const { fields } = parseForm(params.requestedSchema);
  const message = (asString(params.message) ?? "").slice(0, 30);
  const content = asObject(result.content);
  const first = new RegExp(`┃ .*${RegExp.escape(message)}[^]*Esc cancels the form`);
  if (result.action === "cancel") return [{ question: first, keys: ESCAPE }];
  const [only] = fields;
  if (fields.length === 1 && (only?.type === "choice" || only?.type === "boolean")) {
    const keys = result.action === "accept"
      ? answerKeys(only, content[only.name])
      : `${optionCount(only) + 1}`;
    return [{ question: first, keys }];
  }
  if (result.action !== "accept") return [{ question: first, keys: "2" }];
  return [
    { question: first, keys: "1" },
    ...fields.map((field, index) => ({
      question: new RegExp(`┃ .*\\(${index + 1} of ${fields.length}\\)`),
      keys: answerKeys(field, content[field.name]),
    })),
    { question: /┃ .*Send these answers/, keys: "1" },
  ];
}

function answerKeys(field: FormField, value: unknown): string {
  switch (field.type) {
    case "text":
    case "number":
    case "unknown":
      return `${value ?? ""}${ENTER}`;
    case "boolean":
      return value === undefined ? `${optionCount(field)}` : value === true ? "1" : "2";
    case "choice": {
      const index = field.options.findIndex((option) => option.value === value);
      return `${index < 0 ? optionCount(field) : index + 1}`;
    }
    case "choices": {
      const numbers = asArray(value).map((one) =>
        field.options.findIndex((option) => option.value === one) + 1
      );
      return [...numbers, field.options.length + 1].join("");
    }
  }
}

/** How many options the question about a field has, that to leave it out included. */
function optionCount(field: FormField): number {
  const values = field.type === "boolean" ? 2 : field.type === "choice" ? field.options.length : 0;
  return values + (field.required ? 0 : 1);
}
