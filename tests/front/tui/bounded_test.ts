import assert from "node:assert/strict";
import { bounded, endOf } from "../../../src/front/tui/entries/bounded.ts";

Deno.test("bounded() leaves ordinary text alone and counts what it leaves out of a long one", () => {
  assert.equal(bounded("a\nb", false), "a\nb");
  const long = "x".repeat(20_000_000);
  for (const keep of ["start", "end"] as const) {
    for (const whole of [false, true]) {
      const text = bounded(long, whole, keep);
      const left = Number(/… (\d+) (?:more|earlier) characters/.exec(text)?.[1]);
      assert.equal(left + (text.match(/x/g)?.length ?? 0), long.length);
      assert.ok(text.length < 1_100_000);
      assert.equal(text.startsWith("x"), keep === "start");
    }
  }
});

Deno.test("endOf() begins with a line where one begins near the cut", () => {
  assert.equal(endOf("first\nsecond\nthird", 10), "third");
  assert.equal(endOf("short", 10), "short");
  assert.equal(endOf("x".repeat(30), 10), "x".repeat(10));
});
