import assert from "node:assert/strict";
import {
  type ChoicesField,
  type NumberField,
  parseForm,
  type TextField,
} from "../../src/model/form.ts";
import {
  checkChoices,
  describeField,
  parseNumber,
  parseText,
  remarkOn,
} from "../../src/model/form_answer.ts";

const BASE = { name: "a", title: "A", required: true };
const text = (rules: Partial<TextField> = {}): TextField => ({ ...BASE, type: "text", ...rules });

const fits = (rules: Partial<TextField>, value: string) => parseText(text(rules), value).ok;

Deno.test("parseForm() reads every type of field, titles, defaults and what is required", () => {
  const { fields, title } = parseForm({
    title: "Shed",
    properties: {
      name: { type: "string", title: "Name", maxLength: 20, default: "x" },
      colour: { type: "string", enum: ["red", "blue"], default: "blue" },
      size: {
        type: "string",
        oneOf: [{ const: "s", title: "Small" }, { const: "l", title: null }],
      },
      coats: { type: "integer", minimum: 1, maximum: 5 },
      price: { type: "number", default: 1.5 },
      roof: { type: "boolean", default: false },
      days: {
        type: "array",
        items: { type: "string", enum: ["mon", "tue"] },
        default: ["tue", "?"],
      },
      extras: { type: "array", minItems: 1, items: { anyOf: [{ const: "d", title: "Door" }] } },
      odd: { type: "hologram" },
    },
    required: ["name", "extras", "not there"],
  });
  assert.equal(title, "Shed");
  assert.deepEqual(fields.map(({ name, type, required }) => [name, type, required]), [
    ["name", "text", true],
    ["colour", "choice", false],
    ["size", "choice", false],
    ["coats", "number", false],
    ["price", "number", false],
    ["roof", "boolean", false],
    ["days", "choices", false],
    ["extras", "choices", true],
    ["odd", "unknown", false],
  ]);
  assert.deepEqual(fields.map((field) => "default" in field ? field.default : undefined), [
    "x",
    "blue",
    undefined,
    undefined,
    1.5,
    false,
    ["tue"],
    undefined,
    undefined,
  ]);
  const size = fields.find(({ name }) => name === "size");
  assert.deepEqual(size?.type === "choice" && size.options.map(({ label }) => label), [
    "Small",
    "l",
  ]);
});

Deno.test("parseForm() takes nonsense for an empty form", () => {
  for (const schema of [undefined, null, 3, [], { properties: [] }, { properties: null }]) {
    assert.deepEqual(parseForm(schema).fields, []);
  }
});

Deno.test("parseText() holds an answer to length and format, characters counted as people do", () => {
  assert.equal(fits({ maxLength: 2 }, "😀😀"), true);
  assert.equal(fits({ maxLength: 2 }, "😀😀😀"), false);
  assert.equal(fits({ minLength: 1 }, ""), false);
  const cases: Readonly<Record<string, readonly [good: string[], bad: string[]]>> = {
    email: [["a@b.example"], ["a", "a@", "a b@c.d"]],
    uri: [
      ["https://a.example/x?y", "http://localhost:80", "mailto:a@b.example", "urn:isbn:1"],
      ["a.example", "https://a b", "http://", "http:///x", "https:a.example", "https://?q", "x:"],
    ],
    date: [["2026-02-28"], ["2026-02-30", "28.2.2026", "2026-2-1"]],
    "date-time": [["2026-02-28T10:00:00Z", "2026-02-28T10:00:00.5+02:00"], [
      "2026-02-28",
      "2026-02-30T10:00:00Z",
      "2026-02-28T25:00:00Z",
    ]],
    hostname: [["anything at all"], []],
  };
  for (const [format, [good, bad]] of Object.entries(cases)) {
    for (const value of good) assert.equal(fits({ format }, value), true, value);
    for (const value of bad) assert.equal(fits({ format }, value), false, value);
  }
});

Deno.test("parseText() checks a pattern, and what cannot be checked is said", () => {
  assert.equal(fits({ pattern: "^[A-Z]{2}-\\d+$" }, "AB-12"), true);
  assert.equal(fits({ pattern: "^[A-Z]{2}-\\d+$" }, "ab"), false);
  assert.equal(fits({ pattern: "^(a+)+$" }, `${"a".repeat(60)}b`), false);
  const field = (pattern: string): TextField => ({ ...BASE, type: "text", pattern });
  for (const pattern of ["(", "(?=(a+)+$)x"]) {
    assert.equal(fits({ pattern }, "x".repeat(300)), true);
    assert.match(describeField(field(pattern)), /which is not checked here$/);
    assert.match(remarkOn(field(pattern), "x".repeat(300)), /^not checked against /);
  }
  assert.equal(describeField(field("^(a+)+$")), "matching ^(a+)+$");
  assert.equal(remarkOn(field("^(a+)+$"), "a"), "");
});

Deno.test("parseForm() takes the options of several choices in any of the forms that agents give", () => {
  const titled = [{ const: "d", title: "Door" }];
  for (const items of [{ anyOf: titled }, { oneOf: titled }, { enum: ["d"] }]) {
    const { fields: [field] } = parseForm({ properties: { extras: { type: "array", items } } });
    assert.equal(field?.type === "choices" && field.options[0]?.value, "d");
  }
});

Deno.test("parseNumber() holds a number to its range and to being whole", () => {
  const field: NumberField = { ...BASE, type: "number", whole: true, minimum: 1, maximum: 5 };
  assert.deepEqual(parseNumber(field, " 3 "), { ok: true, value: 3 });
  for (const bad of ["", "x", "0", "6", "2.5", "Infinity"]) {
    assert.equal(parseNumber(field, bad).ok, false, bad);
  }
  assert.deepEqual(parseNumber({ ...field, whole: false }, "2.5"), { ok: true, value: 2.5 });
});

Deno.test("checkChoices() holds a selection to its size, and describeField() says what is taken", () => {
  const field: ChoicesField = { ...BASE, type: "choices", options: [], minItems: 1, maxItems: 2 };
  assert.equal(checkChoices(field, []).ok, false);
  assert.equal(checkChoices(field, ["a", "b", "c"]).ok, false);
  assert.equal(checkChoices(field, ["a"]).ok, true);
  assert.equal(describeField(field), "any number of these, 1 to 2 choices");
  const { maxItems: _, ...atLeast } = field;
  assert.equal(describeField(atLeast), "any number of these, at least 1 choice");
  assert.equal(
    describeField(text({ minLength: 4, maxLength: 4 })),
    "exactly 4 characters",
  );
  assert.equal(
    describeField(text({ format: "date", maxLength: 9 })),
    "a date such as 2026-03-31, at most 9 characters",
  );
});
