import assert from "node:assert/strict";
import { fillForm } from "../../src/app/form_questions.ts";
import type { NewQuestion } from "../../src/app/questions.ts";
import type { QuestionAnswer } from "../../src/app/view.ts";
import { parseForm } from "../../src/model/form.ts";

/** Fills a form; an answer is an option's label, text after `=`, or `null` for Esc. */
async function fill(schema: unknown, answers: readonly (string | null)[]) {
  const asked: NewQuestion[] = [];
  const left = [...answers];
  const result = await fillForm({ message: "Please", form: parseForm(schema) }, (question) => {
    asked.push(question);
    const next = left.shift();
    if (next === undefined) throw new Error(`not expected: ${JSON.stringify(question)}`);
    return Promise.resolve(answerOf(question, next));
  });
  assert.deepEqual(left, []);
  return { result, asked };
}

function answerOf(question: NewQuestion, answer: string | null): QuestionAnswer {
  if (answer === null) return { type: "dismissed" };
  if (answer.startsWith("=")) {
    assert.equal(question.kind, "text");
    return { type: "text", text: answer.slice(1) };
  }
  const option = question.options.find(({ label }) => label === answer);
  assert.ok(option, `${answer} is none of ${JSON.stringify(question.options)}`);
  return { type: "option", id: option.id };
}

const SHED = {
  properties: {
    colour: { type: "string", title: "Colour", enum: ["blue", "red"], default: "blue" },
    coats: { type: "integer", title: "Coats", minimum: 1, maximum: 5, default: 2 },
    name: { type: "string", title: "Name", maxLength: 5 },
    days: { type: "array", title: "Days", items: { enum: ["mon", "tue"] }, minItems: 1 },
  },
  required: ["colour", "coats", "days"],
};

Deno.test("fillForm() asks one field after the other and sends what the summary showed", async () => {
  const { result, asked } = await fill(SHED, [
    "Fill it in",
    "red",
    "=",
    "=Ada",
    "[ ] tue",
    "Done: tue",
    "Send them",
  ]);
  assert.deepEqual(result, {
    action: "accept",
    content: { colour: "red", coats: 2, name: "Ada", days: ["tue"] },
  });
  assert.deepEqual(asked.at(-1)?.body, ["Colour: red", "Coats: 2", "Name: Ada", "Days: tue"]);
  assert.equal(asked[1]?.title, "Colour (required) (1 of 4)");
  assert.deepEqual(asked[1]?.options[0], { id: "0", label: "blue", hint: "default" });
  assert.deepEqual(asked.map(({ preset }) => preset), [
    undefined,
    "0",
    undefined,
    undefined,
    undefined,
    "done",
    undefined,
  ]);
});

Deno.test("fillForm() asks again for what does not fit, with the reason", async () => {
  const { result, asked } = await fill(SHED, [
    "Fill it in",
    "blue",
    "=many",
    "=9",
    "=3",
    "=",
    "Done: none",
    "[ ] mon",
    "[ ] tue",
    "[x] mon",
    "Done: tue",
    "Send them",
  ]);
  assert.deepEqual(result, {
    action: "accept",
    content: { colour: "blue", coats: 3, days: ["tue"] },
  });
  const problems = asked.flatMap(({ body }) => body.filter((line) => /does not do/.test(line)));
  assert.deepEqual(problems, [
    "That does not do: it must be a number",
    "That does not do: it must be at most 5",
    "That does not do: choose at least 1",
  ]);
});

Deno.test("fillForm() takes an empty line for what it says that one stands for", async () => {
  const schema = {
    properties: {
      name: { type: "string", title: "Name" },
      age: { type: "integer", title: "Age", default: 3 },
      town: { type: "string", title: "Town" },
    },
    required: ["name"],
  };
  const { result, asked } = await fill(schema, [
    "Fill it in",
    "= ",
    "=Ada",
    "=-",
    "=",
    "Send them",
  ]);
  assert.deepEqual(result, { action: "accept", content: { name: "Ada" } });
  assert.deepEqual(asked.slice(1, 5).map(({ empty, body }) => [empty, body.at(-1)]), [
    [undefined, undefined],
    [undefined, "That does not do: it is required"],
    ["keeps 3", "Enter alone keeps 3; - leaves it out."],
    ["leaves it out", "Enter alone leaves it out."],
  ]);
});

Deno.test("fillForm() says at every step that dismissing cancels the form", async () => {
  const { asked } = await fill(SHED, [
    ...["Fill it in", "red", "=", "=", "[ ] tue", "Done: tue", null],
  ]);
  assert.equal(asked.length, 7);
  for (const { dismissing } of asked) assert.equal(dismissing, "cancels the form");
});

Deno.test("fillForm() tells declining from dismissing, at every step", async () => {
  assert.deepEqual((await fill(SHED, ["Decline"])).result, { action: "decline" });
  assert.deepEqual((await fill(SHED, [null])).result, { action: "cancel" });
  assert.deepEqual((await fill(SHED, ["Fill it in", null])).result, { action: "cancel" });
  const all = ["Fill it in", "blue", "=", "=", "[ ] mon", "Done: mon"];
  assert.deepEqual((await fill(SHED, [...all, null])).result, { action: "cancel" });
  assert.deepEqual((await fill(SHED, [...all, "Decline"])).result, { action: "decline" });
});

Deno.test("fillForm() goes through the fields again with the answers given before", async () => {
  const { result, asked } = await fill(SHED, [
    ...["Fill it in", "red", "=4", "=", "[ ] mon", "Done: mon"],
    "Go through them again",
    ...["blue", "=", "=", "Done: mon", "Send them"],
  ]);
  assert.deepEqual(result, {
    action: "accept",
    content: { colour: "blue", coats: 4, days: ["mon"] },
  });
  assert.deepEqual(asked[7]?.options[1], { id: "1", label: "red", hint: "as before" });
});

Deno.test("fillForm() makes one choice one question", async () => {
  const choice = { properties: { ok: { type: "boolean", title: "Go on?" } }, required: ["ok"] };
  assert.deepEqual((await fill(choice, ["yes"])).result, {
    action: "accept",
    content: { ok: true },
  });
  assert.deepEqual((await fill(choice, ["Decline"])).result, { action: "decline" });
  assert.deepEqual((await fill(choice, [null])).result, { action: "cancel" });
});

Deno.test("fillForm() leaves a field of an unknown type out, or declines when it is required", async () => {
  const odd = { properties: { odd: { type: "hologram" }, a: { type: "string" } } };
  const { result } = await fill(odd, ["Fill it in", "=", "Send them"]);
  assert.deepEqual(result, { action: "accept", content: {} });
  const required = await fill({ ...odd, required: ["odd"] }, ["Decline"]);
  assert.deepEqual(required.asked[0]?.options.map(({ label }) => label), ["Decline"]);
});

Deno.test("fillForm() offers to accept a form without fields", async () => {
  assert.deepEqual((await fill({}, ["Accept"])).result, { action: "accept", content: {} });
});
