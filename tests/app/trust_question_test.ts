import assert from "node:assert/strict";
import { trustAnswer, trustQuestion } from "../../src/app/trust_question.ts";

const tools = [
  { name: "count", file: "/t/count.ts", permissions: {} },
  { name: "look", file: "/t/look.ts", permissions: { read: [".", "/etc"], net: true } },
  { name: "git", file: "/t/git.ts", permissions: { run: ["git"], env: [] } },
];

Deno.test("trustQuestion() lists each tool with the permissions that it asks for", () => {
  const question = trustQuestion({ directory: "/t", tools });
  assert.equal(question.title, "Let the model use the 3 tools of /t?");
  assert.deepEqual(question.body.slice(0, -1), [
    "count: no permissions",
    "look: read files: ., /etc; use the network: any",
    "git: run programs: git",
    "  git gets full access to this machine: what it starts is not confined",
  ]);
  assert.deepEqual(question.options.map(({ id }) => id), ["always", "session_edits", "once", "no"]);
});

Deno.test("trustQuestion() says what has changed", () => {
  const question = trustQuestion({ directory: "/t", tools, changes: ["git.ts: now runs git"] });
  assert.match(question.title, /have changed/);
  assert.deepEqual(question.body.slice(0, 2), [
    "Since you last agreed:",
    "  git.ts: now runs git",
  ]);
});

Deno.test("trustAnswer() takes anything but a yes as no", () => {
  assert.equal(trustAnswer({ type: "option", id: "session_edits" }), "session_edits");
  assert.equal(trustAnswer({ type: "option", id: "other" }), "no");
  assert.equal(trustAnswer({ type: "text", text: "always" }), "no");
  assert.equal(trustAnswer({ type: "dismissed" }), "no");
});
