import assert from "node:assert/strict";
import { reflowOf, reflowOfAttributes } from "../../../src/front/tui/reflow.ts";

const env = (values: Record<string, string>) => (name: string) => values[name];

Deno.test("reflowOf() knows terminals that cut lines off", () => {
  assert.equal(reflowOf(env({ TERM: "xterm-256color" })), "all");
  assert.equal(reflowOf(env({ XTERM_VERSION: "XTerm(380)" })), "none");
  assert.equal(reflowOf(env({ TMUX: "/tmp/x", TERM: "screen-256color" })), "all");
  assert.equal(reflowOf(env({ TERM_PROGRAM: "vscode" })), "not-cursor");
});

Deno.test("reflowOfAttributes() knows terminals by their answer", () => {
  const nothing = env({});
  assert.equal(reflowOfAttributes("\x1b[?1;2c", "all", nothing), "not-cursor");
  assert.equal(
    reflowOfAttributes("\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", "all", nothing),
    "none",
  );
  assert.equal(reflowOfAttributes("\x1b[?62;c", "all", nothing), "all");
  assert.equal(reflowOfAttributes("\x1b[?1;2c", "all", env({ TMUX: "x" })), "all");
});
