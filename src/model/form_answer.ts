/**
 * What a person fills into a form, read and checked.
 *
 * @module
 */

import type { ChoicesField, FormField, FormValue, NumberField, TextField } from "./form.ts";

/** An answer that fits its field, or why it does not: a clause without full stop. */
export type FormAnswer<T extends FormValue> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** Steps that a pattern may take at most on a text; what may take more is left to the agent. */
const MAX_STEPS = 10_000_000;

/** Reads a line of text for a text field; nothing of it is changed. */
export function parseText(field: TextField, text: string): FormAnswer<string> {
  const length = [...text].length;
  const { minLength = 0, maxLength = Infinity, format, pattern } = field;
  if (length < minLength) return bad(`it needs at least ${counted(minLength, "character")}`);
  if (length > maxLength) return bad(`it can have at most ${counted(maxLength, "character")}`);
  const form = format === undefined ? undefined : FORMATS.get(format);
  if (form !== undefined && !form.fits(text)) return bad(`it must be ${form.name}`);
  if (pattern !== undefined && mismatches(pattern, text)) return bad(`it must match ${pattern}`);
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
        range("characters", minLength || undefined, maxLength),
        pattern === undefined ? undefined : `matching ${pattern}`,
      );
    }
    case "number":
      return join(
        field.whole ? "a whole number" : "a number",
        range("", field.minimum, field.maximum),
      );
    case "choices":
      return join("any number of these", range("choices", field.minItems, field.maxItems));
    case "unknown":
      return `cannot be filled in here: its type ${JSON.stringify(field.kind)} is not known`;
    case "boolean":
    case "choice":
      return "";
  }
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
  ["uri", { name: "a URL", fits: (text) => /^[a-z][a-z\d+.-]*:\S+$/iu.test(text) }],
  ["date", { name: "a date such as 2026-03-31", fits: isDate }],
  ["date-time", { name: "a date and time such as 2026-03-31T09:30:00Z", fits: isDateTime }],
]);

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

/**
 * Whether a text does not match a pattern. A pattern that is broken, or may take very long, is no
 * reason to hold a person up: the agent checks it as well.
 */
function mismatches(pattern: string, text: string): boolean {
  if (!isCheap(pattern, text)) return false;
  try {
    return !new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

/** Without repeated groups the time grows with the length to the power of the open repetitions. */
function isCheap(pattern: string, text: string): boolean {
  if (/\)[*+{?]/u.test(pattern)) return false;
  const repetitions = pattern.match(/[*+]|\{\d+,\d*\}/gu)?.length ?? 0;
  return Math.max(2, text.length) ** (repetitions + 1) <= MAX_STEPS;
}

function range(unit: string, least?: number, most?: number): string | undefined {
  const words = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${words}`;
  if (least !== undefined) return `at least ${least}${words}`;
  return most === undefined ? undefined : `at most ${most}${words}`;
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}
