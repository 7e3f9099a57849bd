import assert from "node:assert/strict";
import fc from "fast-check";
import { OutputTail } from "../../src/client/output_tail.ts";

const encoder = new TextEncoder();

Deno.test("OutputTail keeps the last bytes and never cuts a character", () => {
  fc.assert(fc.property(
    fc.array(fc.string({ unit: "grapheme", maxLength: 40 }), { maxLength: 40 }),
    fc.nat({ max: 120 }),
    fc.integer({ min: 1, max: 7 }),
    (texts, limit, step) => {
      const whole = texts.join("").toWellFormed();
      const bytes = encoder.encode(whole);
      const tail = new OutputTail(limit);
      for (let at = 0; at < bytes.length; at += step) tail.push(bytes.subarray(at, at + step));
      tail.end();
      const kept = tail.text();
      assert.ok(whole.endsWith(kept));
      assert.ok(encoder.encode(kept).length <= limit);
      assert.equal(tail.truncated, bytes.length > limit);
      // One more character would not have fitted.
      const before = [...whole.slice(0, whole.length - kept.length)].at(-1);
      if (before !== undefined) assert.ok(encoder.encode(before + kept).length > limit);
    },
  ));
});

Deno.test("OutputTail replaces bytes that are no text, within its limit", () => {
  const tail = new OutputTail(4);
  tail.push(new Uint8Array([0xff, 0xff, 0xff]));
  tail.end();
  assert.equal(tail.text(), "\ufffd");
  assert.ok(tail.truncated);
});

Deno.test("OutputTail holds a character that is cut until the rest of it comes", () => {
  const tail = new OutputTail(100);
  const [a = 0, b = 0, c = 0] = encoder.encode("日");
  tail.push(new Uint8Array([0x78, a, b]));
  assert.equal(tail.text(), "x");
  tail.push(new Uint8Array([c]));
  assert.equal(tail.text(), "x日");
});

Deno.test("OutputTail takes one piece that is larger than everything it keeps", () => {
  const tail = new OutputTail(10);
  tail.push(encoder.encode("y".repeat(100_000) + "end"));
  assert.equal(tail.text(), "yyyyyyyend");
  assert.equal(tail.text(3), "end");
});
