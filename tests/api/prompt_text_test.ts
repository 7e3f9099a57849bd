import assert from "node:assert/strict";
import { assemblePromptText } from "../../src/api/mod.ts";

Deno.test("assemblePromptText() writes every message and what the latest one supersedes", () => {
  const text = assemblePromptText([
    { role: "system", content: "Be brief." },
    { role: "user", content: "two\nlines" },
    { role: "assistant", content: null },
    { role: "tool", content: [{ text: "part 1" }, {}, { text: "part 2" }] },
    { role: "user", content: "the question" },
  ]);
  const [messages = "", marker = ""] = text.split("\n\n");
  assert.equal(
    messages,
    "system: Be brief.\nuser: two\nlines\nassistant: \ntool: part 1\npart 2\nuser: the question",
  );
  assert.match(marker, /"the question" supersedes all earlier/);
  assert.doesNotMatch(marker, /two/);
});

Deno.test("assemblePromptText() of nothing is empty", () => {
  assert.equal(assemblePromptText([]), "");
});
