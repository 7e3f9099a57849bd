import assert from "node:assert/strict";
import { exitWords } from "../../src/front/exit_words.ts";

Deno.test("exitWords() says how a command ended, and nothing that could hide in a signal's name", () => {
  const words = [
    undefined,
    { exitCode: 0, signal: null },
    { exitCode: 3, signal: null },
    { exitCode: null, signal: "SIGTERM\x1b[2J" },
    { exitCode: null, signal: null },
  ].map(exitWords);
  assert.deepEqual(words.with(3, ""), ["done", "done", "exit status 3", "", "failed"]);
  assert.match(words[3] ?? "", /^ended by SIGTERM/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(words[3] ?? "", /[\x00-\x1f]/);
});
