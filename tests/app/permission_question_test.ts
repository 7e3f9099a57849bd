import assert from "node:assert/strict";
import { watchPermissions } from "../../src/app/permission_question.ts";
import { QuestionQueue } from "../../src/app/questions.ts";
import { SessionStore } from "../../src/model/session_store.ts";

const OPTIONS = [
  { optionId: "o1", name: "Always", kind: "allow_always" },
  { optionId: "o2", name: "Yes", kind: "reject_always" },
  { optionId: "o3", name: "Ask me later", kind: "defer_9" },
  { optionId: "o4", name: "No", kind: "reject_once" },
];

/** A session with a question in it, once the question has had time to be asked. */
async function ask(toolCall: unknown, options = OPTIONS) {
  const store = new SessionStore("/proj");
  const queue = new QuestionQueue(() => {});
  const answers: (readonly [string, string | null])[] = [];
  const stop = watchPermissions(store, {
    questions: queue,
    answer: (id, option) => answers.push([id, option]),
  });
  store.dispatch({ type: "permission_asked", requestId: "r1", toolCall, options });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 1));
  await settle();
  return { store, queue, answers, stop, settle };
}

Deno.test("watchPermissions() shows the whole request and all options in the agent's order", async () => {
  const { queue, store } = await ask({
    toolCallId: "c1",
    title: "Run it",
    kind: "execute",
    rawInput: { command: "rm -rf x\nls", cwd: "/tmp" },
    content: [{ type: "diff", path: "/proj/a", newText: "b\n" }],
    locations: [{ path: "/proj/a", line: 3 }],
  });
  const [question] = queue.questions;
  assert.equal(question?.title, "Let the agent do this: Run it");
  assert.deepEqual(question?.body, [
    "command: rm -rf x",
    "  ls",
    "cwd: /tmp",
    "file: /proj/a:3",
    "new file: /proj/a",
    "+ b",
  ]);
  assert.deepEqual(question?.options, [
    { id: "o1", label: "Always" },
    { id: "o2", label: "Yes", hint: "refuses always" },
    { id: "o3", label: "Ask me later", hint: "unknown kind: defer_9" },
    { id: "o4", label: "No" },
  ]);
  assert.equal(question?.toolCallId, "c1");
  assert.equal(question?.store, store);
});

Deno.test("watchPermissions() shows of a change what is between the common beginning and end", async () => {
  const oldText = "a\nb\nc\n";
  const { queue } = await ask({
    toolCallId: "c1",
    content: [{ type: "diff", path: "/proj/a", oldText, newText: "a\nx\ny\nc\n" }],
  });
  assert.deepEqual(queue.questions[0]?.body, [
    "change: /proj/a",
    "  from line 2:",
    "- b",
    "+ x",
    "+ y",
  ]);
});

Deno.test("watchPermissions() says so when the arguments are not known", async () => {
  const { queue } = await ask({ toolCallId: "c1" });
  assert.match(queue.questions[0]?.body.join() ?? "", /gives no details/);
});

Deno.test("watchPermissions() answers with the chosen option, and a dismissal with reject_once", async () => {
  const chosen = await ask({ toolCallId: "c1" });
  chosen.queue.answer(chosen.queue.questions[0]?.id ?? "", { type: "option", id: "o3" });
  await chosen.settle();
  assert.deepEqual(chosen.answers, [["r1", "o3"]]);
  const dismissed = await ask({ toolCallId: "c1" });
  dismissed.queue.close();
  await dismissed.settle();
  assert.deepEqual(dismissed.answers, [["r1", "o4"]]);
  const without = await ask({ toolCallId: "c1" }, OPTIONS.slice(0, 3));
  without.queue.close();
  await without.settle();
  assert.deepEqual(without.answers, [["r1", null]]);
});

Deno.test("watchPermissions() takes a question away that was settled elsewhere", async () => {
  const { store, queue, answers, settle } = await ask({ toolCallId: "c1" });
  assert.equal(queue.questions.length, 1);
  const answer = { optionId: null, by: "cancel" } as const;
  store.dispatch({ type: "permission_answered", requestId: "r1", answer });
  await settle();
  assert.equal(queue.questions.length, 0);
  assert.deepEqual(answers, []);
});

Deno.test("watchPermissions() never asks what a rule has answered at once", async () => {
  const { store, queue, settle } = await ask({ toolCallId: "c1" });
  const toolCall = { toolCallId: "c2" };
  store.dispatch({ type: "permission_asked", requestId: "r2", toolCall, options: OPTIONS });
  const answer = { optionId: "o1", by: "rule" } as const;
  store.dispatch({ type: "permission_answered", requestId: "r2", answer });
  await settle();
  assert.deepEqual(queue.questions.map(({ toolCallId }) => toolCallId), ["c1"]);
});

Deno.test("watchPermissions() withdraws its questions when it stops", async () => {
  const { queue, answers, stop, settle } = await ask({ toolCallId: "c1" });
  stop();
  await settle();
  assert.equal(queue.questions.length, 0);
  assert.deepEqual(answers, []);
});

Deno.test("watchPermissions() says that a request comes from a remote host", async () => {
  const store = new SessionStore("/proj");
  const queue = new QuestionQueue(() => {});
  const stop = watchPermissions(store, {
    questions: queue,
    answer: () => {},
    host: "example.com:8080",
  });
  const toolCall = { toolCallId: "c1", rawInput: { command: "ls" } };
  store.dispatch({ type: "permission_asked", requestId: "r1", toolCall, options: OPTIONS });
  await new Promise((resolve) => setTimeout(resolve, 1));
  const [question] = queue.questions;
  assert.equal(question?.origin, "The request comes from the remote host example.com:8080");
  assert.deepEqual(question?.body, ["command: ls"]);
  stop();
});
