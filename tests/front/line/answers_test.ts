import assert from "node:assert/strict";
import type { Question } from "../../../src/app/view.ts";
import { answerHelp, parseAnswer } from "../../../src/front/line/answers.ts";

const question: Question = {
  id: "q",
  kind: "permission",
  title: "Allow?",
  body: [],
  options: [
    { id: "a", label: "Yes" },
    { id: "b", label: "Twice" },
    { id: "c", label: "twice" },
  ],
};

Deno.test("parseAnswer() takes a number or a label that only one option has", () => {
  assert.deepEqual(parseAnswer(question, " 2 "), { type: "option", id: "b" });
  assert.deepEqual(parseAnswer(question, "yes"), { type: "option", id: "a" });
  for (const line of ["0", "4", "twice", "y", "1.", "-1"]) {
    assert.equal(parseAnswer(question, line), undefined, line);
  }
});

Deno.test("parseAnswer() takes an empty line as no answer, and text where text is asked", () => {
  assert.deepEqual(parseAnswer(question, "  "), { type: "dismissed" });
  const text = { ...question, kind: "text" as const, options: [] };
  assert.deepEqual(parseAnswer(text, "1"), { type: "text", text: "1" });
});

Deno.test("an empty line takes what is preset, and the help says what that is", () => {
  const preset = { ...question, preset: "b" };
  assert.deepEqual(parseAnswer(preset, ""), { type: "option", id: "b" });
  assert.equal(answerHelp(preset), "Type a number from 1 to 3; an empty line takes 2.");
});

Deno.test("answerHelp() says what to type", () => {
  assert.equal(answerHelp(question), "Type a number from 1 to 3; an empty line refuses.");
  assert.match(answerHelp({ ...question, kind: "choice", options: [] }), /nothing to choose/);
  const form = { ...question, dismissing: "cancels the form" };
  assert.equal(answerHelp(form), "Type a number from 1 to 3; an empty line cancels the form.");
  const line = { ...form, kind: "text" as const, options: [] };
  assert.equal(answerHelp(line), "Type the answer; an empty line cancels the form.");
  assert.match(answerHelp({ ...line, empty: "keeps 2" }), /an empty line keeps 2\./);
  assert.match(answerHelp({ ...line, kind: "secret" }), /an empty line cancels the form\./);
});
