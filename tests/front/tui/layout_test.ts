import { wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import assert from "node:assert/strict";
import { fit, widthOf, wrap } from "../../../src/front/tui/layout.ts";

const words = fc.array(
  fc.oneof(fc.stringMatching(/^[!-~]{0,12}$/), fc.stringMatching(/^ {1,9}$/)),
  { maxLength: 20 },
).map((parts) => parts.join(" "));

Deno.test("wrap() breaks plain lines where it breaks any other", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 30 }), (line, columns) => {
      const expected = line.length <= columns ? [line] : wrapTextWithAnsi(line, columns);
      assert.deepEqual(wrap(line, columns), expected);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("wrap() loses nothing but blanks, and no line is too wide", () => {
  const text = fc.array(fc.constantFrom("word", "日本語", " ", "\n", "é", "👩‍👧", "\t", "-")).map((
    all,
  ) => all.join(""));
  fc.assert(fc.property(text, fc.integer({ min: 2, max: 20 }), (text, columns) => {
    const lines = wrap(text, columns);
    assert.ok(lines.every((line) => widthOf(line) <= columns), JSON.stringify(lines));
    const bare = (text: string) => text.replace(/\s/g, "");
    assert.equal(bare(lines.join("")), bare(text));
  }));
});

Deno.test("fit() gives one line that fits, whatever it is made of", () => {
  const unit = fc.constantFrom("a", "日", "\t", "e\u0301\u0301", "👨‍👩‍👧", "\x1b[1m", "\x1b[22m");
  fc.assert(fc.property(
    fc.array(unit, { maxLength: 200 }).map((all) => all.join("")),
    fc.integer({ min: 1, max: 12 }),
    (text, columns) => {
      const line = fit(text, columns);
      assert.ok(widthOf(line) <= columns, JSON.stringify(line));
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(line.replace(/\x1b\[\d*m/g, ""), /\x1b/);
      if (widthOf(text.replaceAll("\t", "    ")) > columns) assert.ok(line.includes("…"));
    },
  ));
});

Deno.test("fit() looks at no more of a long text than can be seen", () => {
  const line = fit(`${"e\u0301".repeat(40)}${"👨‍👩‍👧".repeat(5_000_000)}`, 10);
  assert.equal(line, `${"e\u0301".repeat(9)}…`);
});
