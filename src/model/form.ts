/**
 * A form that an agent asks a person to fill in: its fields, read leniently from the schema of
 * `elicitation/create`.
 *
 * @module
 */

import { asArray, asBoolean, asNumber, asObject, asString, isObject } from "../base/guards.ts";
import { optional } from "./content.ts";

/** A choice of a field. */
export interface FormOption {
  readonly value: string;
  /** Never empty: the value when the agent gave no title. */
  readonly label: string;
  readonly description?: string;
}

/** What every field has. */
export interface FormFieldBase {
  readonly name: string;
  /** Never empty: the name when the agent gave no title. */
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
}

/** A line of text. */
export interface TextField extends FormFieldBase {
  readonly type: "text";
  /** `email`, `uri`, `date`, `date-time`, or another word as it came. */
  readonly format?: string;
  /** In characters (code points). */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression. */
  readonly pattern?: string;
  readonly default?: string;
}

/** A number, both ends of its range included. */
export interface NumberField extends FormFieldBase {
  readonly type: "number";
  readonly whole: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** Yes or no. */
export interface BooleanField extends FormFieldBase {
  readonly type: "boolean";
  readonly default?: boolean;
}

/** One of some values. */
export interface ChoiceField extends FormFieldBase {
  readonly type: "choice";
  readonly options: readonly FormOption[];
  readonly default?: string;
}

/** Any number of some values. */
export interface ChoicesField extends FormFieldBase {
  readonly type: "choices";
  readonly options: readonly FormOption[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** A field of a type that we do not know: it cannot be filled in. */
export interface UnknownField extends FormFieldBase {
  readonly type: "unknown";
  /** The type as it came. */
  readonly kind: string;
}

/** One field of a form. */
export type FormField =
  | TextField
  | NumberField
  | BooleanField
  | ChoiceField
  | ChoicesField
  | UnknownField;

/** What a field is filled in with. */
export type FormValue = string | number | boolean | readonly string[];

/** A form. */
export interface Form {
  readonly title?: string;
  readonly description?: string;
  /** In the agent's order. */
  readonly fields: readonly FormField[];
}

/** Reads a `requestedSchema`. Never throws. */
export function parseForm(schema: unknown): Form {
  const raw = asObject(schema);
  const required = new Set(asArray(raw.required).filter((name) => typeof name === "string"));
  return {
    ...optional("title", asString(raw.title)),
    ...optional("description", asString(raw.description)),
    fields: Object.entries(asObject(raw.properties)).map(([name, property]) =>
      parseField(name, property, required.has(name))
    ),
  };
}

function parseField(name: string, property: unknown, required: boolean): FormField {
  const raw = asObject(property);
  const base: FormFieldBase = {
    name,
    title: asString(raw.title) || name,
    ...optional("description", asString(raw.description)),
    required,
  };
  switch (raw.type) {
    case "string": {
      const options = parseOptions(raw.oneOf ?? raw.anyOf ?? raw.enum);
      if (options.length > 0) return choiceField(base, options, raw.default);
      return {
        ...base,
        type: "text",
        ...optional("format", asString(raw.format)),
        ...optional("minLength", asNumber(raw.minLength)),
        ...optional("maxLength", asNumber(raw.maxLength)),
        ...optional("pattern", asString(raw.pattern)),
        ...optional("default", asString(raw.default)),
      };
    }
    case "number":
    case "integer":
      return {
        ...base,
        type: "number",
        whole: raw.type === "integer",
        ...optional("minimum", asNumber(raw.minimum)),
        ...optional("maximum", asNumber(raw.maximum)),
        ...optional("default", asNumber(raw.default)),
      };
    case "boolean":
      return { ...base, type: "boolean", ...optional("default", asBoolean(raw.default)) };
    case "array": {
      const items = asObject(raw.items);
      const options = parseOptions(items.anyOf ?? items.oneOf ?? items.enum);
      if (options.length === 0) break;
      return {
        ...base,
        type: "choices",
        options,
        ...optional("minItems", asNumber(raw.minItems)),
        ...optional("maxItems", asNumber(raw.maxItems)),
        ...optional("default", parseDefaults(raw.default, options)),
      };
    }
  }
  return { ...base, type: "unknown", kind: asString(raw.type) ?? "none" };
}

function choiceField(
  base: FormFieldBase,
  options: readonly FormOption[],
  byDefault: unknown,
): ChoiceField {
  const known = options.find((option) => option.value === byDefault)?.value;
  return { ...base, type: "choice", options, ...optional("default", known) };
}

/** `["a"]`, or `[{"const": "a", "title": "A"}]`. */
function parseOptions(raw: unknown): readonly FormOption[] {
  return asArray(raw).flatMap((item): FormOption[] => {
    if (typeof item === "string") return [{ value: item, label: item === "" ? '""' : item }];
    const value = isObject(item) ? asString(item.const) : undefined;
    if (value === undefined || !isObject(item)) return [];
    const label = asString(item.title) || value || '""';
    return [{ value, label, ...optional("description", asString(item.description)) }];
  });
}

function parseDefaults(
  raw: unknown,
  options: readonly FormOption[],
): readonly string[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  return options.map((option) => option.value).filter((value) => raw.includes(value));
}
