import assert from "node:assert/strict";
import {
  ReflowedLines,
  reflowOf,
  reflowOfAttributes,
  rowsOf,
} from "../../../src/front/tui/reflow.ts";
import { Screen } from "../../support/screen.ts";

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

Deno.test("rowsOf() cuts no wide character in two, as xterm.js does not", async () => {
  const lines = [
    "",
    "abc",
    "日本語日本語",
    "a日本語日本語",
    "\x1b[1mfett\x1b[22m und mehr",
  ];
  for (const line of lines) {
    for (let columns = 2; columns <= 14; columns++) {
      const screen = new Screen(columns, 20);
      await screen.feed(`${line}\r\n|`);
      assert.equal(rowsOf(line, columns), screen.cursor.row, `${line} in ${columns}`);
    }
  }
});

Deno.test("rowsAbove() finds a cursor behind the end of its line in the line's last row", () => {
  const lines = new ReflowedLines(["x".repeat(25), "› a draft"], 9, "all");
  assert.deepEqual(lines.heights, [3, 1]);
  assert.equal(lines.rowsAbove({ row: 1, column: 9 }, true), 3);
  assert.equal(lines.rowsAbove({ row: 0, column: 25 }, true), 2);
  assert.equal(lines.rowsAbove({ row: 0, column: 10 }, true), 1);
});

Deno.test("within() gives the lines in the first rows, the last one as far as it is in them", () => {
  const lines = new ReflowedLines(["short", "x".repeat(25), "y"], 10, "all");
  assert.deepEqual(lines.within(3), ["short", "x".repeat(20)]);
  assert.deepEqual(lines.within(0), []);
  assert.deepEqual(lines.within(9), ["short", "x".repeat(25), "y"]);
});
