import assert from "node:assert/strict";
import { drawable } from "../../../src/front/tui/drawable.ts";
import { widthOf } from "../../../src/front/tui/layout.ts";

Deno.test("drawable() leaves text, attributes and hyperlinks alone", () => {
  const rows = [
    "plain",
    "\x1b[1;36mbold\x1b[22;39m 日本 👩‍💻 é مرحبا",
    "\x1b]8;;https://example.com/é\x1b\\here\x1b]8;;\x1b\\",
  ];
  for (const row of rows) assert.equal(drawable(row, 80), row);
});

Deno.test("drawable() shows whatever else a row holds, within the width", () => {
  assert.equal(drawable("a\u202eb\u009b2Jc\x1b[2Jd", 80), "a<U+202E>b<U+009B>2Jc␛[2Jd");
  assert.equal(drawable("\x1b]0;evil\x07\n\tx\u2028", 80), "␛]0;evil␇⏎ x<U+2028>");
  assert.equal(drawable("x\x1b_Gf=100;AAAA\x1b\\", 80), "x␛_Gf=100;AAAA␛\\");
  assert.equal(widthOf(drawable("\u202e".repeat(30), 20)), 20);
});
