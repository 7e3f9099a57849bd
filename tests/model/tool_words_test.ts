import assert from "node:assert/strict";
import { saysWhatIsDone, verbOf } from "../../src/model/tool_words.ts";

Deno.test("verbOf() gives the word that a person would use", () => {
  const kinds = ["execute", "edit", "switch_mode", "new_kind", "other"];
  assert.deepEqual(kinds.map(verbOf), ["run", "edit", "switch the mode", "new kind", undefined]);
});

Deno.test("saysWhatIsDone() takes no word of another kind, and no command, for what is done", () => {
  for (
    const [kind, title] of [
      ["edit", "Write a.txt"],
      ["read", "read a.txt"],
      ["execute", "Run the tests"],
      ["think", "Think"],
    ] as const
  ) assert.equal(saysWhatIsDone(kind, title), true, title);
  for (
    const [kind, title] of [
      ["delete", "Read a.txt"],
      ["execute", "run the-tests"],
      ["execute", "date"],
      ["edit", "a.txt"],
      ["edit", ""],
    ] as const
  ) assert.equal(saysWhatIsDone(kind, title), false, title);
});
