/**
 * Keys of the editor, as terminals send them: plain bytes, xterm's and the kitty protocol's.
 *
 * @module
 */

import assert from "node:assert/strict";
import { bytes, count, withTui } from "./harness.ts";

/** What is typed, and the text that stands there then. */
const EDITS: readonly (readonly [what: string, typed: string, text: string])[] = [
  ["cutting and putting back", "one two\x17\x0bX\x19", "one Xtwo"],
  ["what was cut before that", "one\x15two\x15\x19\x1by", "one"],
  ["cutting to both ends", "left right\x1bb\x0b\x01\x0b\x19", "left "],
  ["undo", "one two\x17\x1f", "one two"],
  ["undo in the kitty protocol", "one two\x17\x1b[45;5u", "one two"],
  ["words", "one two three\x1bb\x1b[1;5D\x1bd\x1b[1;3CX", "one  threeX"],
  ["both ends, by xterm's keys", "bc\x1b[Ha\x1b[Fd", "abcd"],
  ["both ends, by the kitty protocol", "bc\x1b[97;5ua\x1b[101;5ud", "abcd"],
  ["lines, by three keys", "a\x1b\rb\x1b[13;2uc\nd", "a\n  b\n  c\n  d"],
  ["a backslash before Enter", "a\\\rb", "a\n  b"],
  ["a letter with a code of its own", "\x1b[233u\x1b[20320u", "é你"],
  ["deleting on both sides", "abcd\x1b[D\x1b[D\x7f\x1b[3~", "ad"],
];

for (const [what, typed, text] of EDITS) {
  Deno.test(`the editor knows ${what}`, async () => {
    await withTui(async ({ pty, screen }) => {
      await pty.write(typed);
      await screen.waitFor((s) => s.text().trimEnd().endsWith(`› ${text}`.trimEnd()));
    });
  });
}

Deno.test("keys of a person's own are the ones that count", async () => {
  const keys = { submit: "ctrl+x", newLine: "enter", help: "f1", redraw: "f2", up: "ctrl+p" };
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("one\rtwo\x18");
    await screen.waitFor("you said: one");
    await pty.write("?\x7f\x1bOP");
    await screen.waitFor("Ctrl-X");
    await pty.write("\x10");
    await screen.waitFor("› one\n  two");
    await pty.write("\x03\x04");
    assert.deepEqual((await told()).submitted, ["one\ntwo"]);
  }, { settings: { keys }, rows: 60 });
});

Deno.test("Ctrl-L draws the lower part again where something else has written", async () => {
  await withTui(async ({ pty, screen }) => {
    await pty.write("a draft");
    await screen.waitFor("› a draft");
    await screen.feed("\rGARBAGE");
    assert.match(screen.text(), /GARBAGE/);
    await pty.write("\x0c");
    await screen.waitFor((s) => s.text().includes("› a draft") && !s.text().includes("GARBAGE"));
    assert.equal(count(bytes(pty), "\x1b[2J"), 0);
  });
});
