import assert from "node:assert/strict";
import { type NewQuestion, QuestionQueue } from "../../src/app/questions.ts";

const choice: NewQuestion = {
  kind: "choice",
  title: "Which?",
  body: [],
  options: [{ id: "a", label: "A" }, { id: "b", label: "B" }],
};

Deno.test("QuestionQueue keeps questions in order and tells of every change", async () => {
  let changes = 0;
  const queue = new QuestionQueue(() => changes++);
  const first = queue.ask(choice);
  const second = queue.open({ ...choice, title: "And?" });
  assert.deepEqual(queue.questions.map(({ title }) => title), ["Which?", "And?"]);
  queue.answer(second.id, { type: "option", id: "b" });
  assert.deepEqual(await second.answer, { type: "option", id: "b" });
  queue.answer(queue.questions[0]?.id ?? "", { type: "dismissed" });
  assert.deepEqual(await first, { type: "dismissed" });
  assert.equal(queue.questions.length, 0);
  assert.equal(changes, 4);
});

Deno.test("QuestionQueue ignores unknown ids, unknown options and text where none is asked", () => {
  const queue = new QuestionQueue(() => {});
  const { id } = queue.open(choice);
  queue.answer("nobody", { type: "dismissed" });
  queue.answer(id, { type: "option", id: "c" });
  queue.answer(id, { type: "text", text: "a" });
  assert.equal(queue.questions.length, 1);
});

Deno.test("QuestionQueue dismisses everything when it closes, and what comes after", async () => {
  const queue = new QuestionQueue(() => {});
  const before = queue.ask(choice);
  queue.close();
  assert.deepEqual(await before, { type: "dismissed" });
  assert.deepEqual(await queue.ask(choice), { type: "dismissed" });
});
