/**
 * What a person fills into a form, read and checked.
 *
 * @module
 */

import { counted } from "../base/counted.ts";
import type { ChoicesField, FormField, FormValue, NumberField, TextField } from "./form.ts";
import { testPattern } from "./pattern.ts";

/** An answer that fits its field, or why it does not: a clause without full stop. */
export type FormAnswer<T extends FormValue> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** Reads a line of text for a text field; nothing of it is changed. */
export function parseText(field: TextField, text: string): FormAnswer<string> {
  const length = [...text].length;
  const { minLength = 0, maxLength = Infinity, format, pattern } = field;
  if (length < minLength) return bad(`it needs at least ${counted(minLength, "character")}`);
  if (length > maxLength) return bad(`it can have at most ${counted(maxLength, "character")}`);
  const form = format === undefined ? undefined : FORMATS.get(format);
  if (form !== undefined && !form.fits(text)) return bad(`it must be ${form.name}`);
  // What cannot be told is no reason to hold a person up: the agent checks it as well.
  if (pattern !== undefined && testPattern(pattern, text) === false) {
    return bad(`it must match ${pattern}`);
  }
  return { ok: true, value: text };
}

/** Reads a number. */
export function parseNumber(field: NumberField, text: string): FormAnswer<number> {
  const { whole, minimum = -Infinity, maximum = Infinity } = field;
  const value = Number(text.trim());
  if (text.trim() === "" || !Number.isFinite(value)) return bad("it must be a number");
  if (whole && !Number.isSafeInteger(value)) return bad("it must be a whole number");
  if (value < minimum) return bad(`it must be at least ${minimum}`);
  if (value > maximum) return bad(`it must be at most ${maximum}`);
  return { ok: true, value };
}

/** Checks a number of choices. */
export function checkChoices(
  field: ChoicesField,
  values: readonly string[],
): FormAnswer<readonly string[]> {
  const { minItems = 0, maxItems = Infinity } = field;
  if (values.length < minItems) return bad(`choose at least ${minItems}`);
  if (values.length > maxItems) return bad(`choose at most ${maxItems}`);
  return { ok: true, value: values };
}

/** What a field takes, in words; empty when there is nothing to say. */
export function describeField(field: FormField): string {
  switch (field.type) {
    case "text": {
      const { format, minLength, maxLength, pattern } = field;
      const form = format === undefined
        ? undefined
        : FORMATS.get(format)?.name ?? `format ${format}`;
      return join(
        form,
        range("character", minLength || undefined, maxLength),
        pattern === undefined ? undefined : `matching ${pattern}`,
        pattern === undefined || isChecked(pattern, "") ? undefined : "which is not checked here",
      );
    }
    case "number":
      return join(
        field.whole ? "a whole number" : "a number",
        range("", field.minimum, field.maximum),
      );
    case "choices":
      return join("any number of these", range("choice", field.minItems, field.maxItems));
    case "unknown":
      return `cannot be filled in here: its type ${JSON.stringify(field.kind)} is not known`;
    case "boolean":
    case "choice":
      return "";
  }
}

/** What a person should know of an answer, in words; empty when there is nothing to say. */
export function remarkOn(field: FormField, value: FormValue): string {
  if (field.type !== "text" || field.pattern === undefined || typeof value !== "string") return "";
  return isChecked(field.pattern, value) ? "" : `not checked against ${field.pattern}`;
}

function isChecked(pattern: string, text: string): boolean {
  return testPattern(pattern, text) !== undefined;
}

/** A value as a person reads it. */
export function describeValue(field: FormField, value: FormValue): string {
  const label = (one: string) =>
    "options" in field ? field.options.find((option) => option.value === one)?.label ?? one : one;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return label(value);
  if (typeof value === "number") return String(value);
  return value.length === 0 ? "none" : value.map(label).join(", ");
}

interface TextFormat {
  /** For people. */
  readonly name: string;
  fits(text: string): boolean;
}

const FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ["email", {
    name: "an e-mail address",
    fits: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/u.test(text),
  }],
  ["uri", { name: "a URL", fits: isUri }],
  ["date", { name: "a date such as 2026-03-31", fits: isDate }],
  ["date-time", { name: "a date and time such as 2026-03-31T09:30:00Z", fits: isDateTime }],
]);

/** Addresses of the web need a host; other schemes say themselves what follows them. */
function isUri(text: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\S+$/iu.test(text) || !URL.canParse(text)) return false;
  return !/^(?:https?|wss?|ftp):/iu.test(text) || /^[a-z]+:\/\/[^/?#]/iu.test(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that does not exist (30 February) rolls over to one that does.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u
    .exec(text);
  return parts !== null && isDate(parts[1] ?? "") && !Number.isNaN(Date.parse(text));
}

function range(noun: string, least?: number, most?: number): string | undefined {
  const some = (count: number) => noun === "" ? `${count}` : counted(count, noun);
  if (least !== undefined && most !== undefined) {
    return least === most ? `exactly ${some(least)}` : `${least} to ${some(most)}`;
  }
  if (least !== undefined) return `at least ${some(least)}`;
  return most === undefined ? undefined : `at most ${some(most)}`;
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", ");
}

function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
