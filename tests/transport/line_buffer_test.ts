import assert from "node:assert/strict";
import fc from "fast-check";
import { LineBuffer } from "../../src/transport/line_buffer.ts";

const encoder = new TextEncoder();

function split(buffer: LineBuffer, bytes: Uint8Array, cuts: readonly number[]): string[] {
  const lines: string[] = [];
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
    .sort((a, b) => a - b);
  places.forEach((place, index) => {
    lines.push(...buffer.push(bytes.subarray(place, places[index + 1] ?? bytes.length)));
  });
  return [...lines, ...buffer.end()];
}

Deno.test("LineBuffer gives the same lines for every split", () => {
  const part = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\r", "日本語🙂é", "{}", "", "\n\n"),
    fc.string({ unit: "grapheme", maxLength: 5 }),
  );
  const parts = fc.array(part, { maxLength: 20, size: "max" });
  const cuts = fc.array(fc.nat(10_000), { maxLength: 30, size: "max" });
  fc.assert(fc.property(parts, cuts, (texts, places) => {
    const text = texts.join("");
    const expected = text.split("\n").map((line) => line.replace(/\r$/, ""));
    if (text === "" || text.endsWith("\n")) expected.pop();
    assert.deepEqual(split(new LineBuffer(10_000), encoder.encode(text), places), expected);
  }));
});

Deno.test("LineBuffer decodes invalid bytes to U+FFFD", () => {
  const buffer = new LineBuffer(100);
  assert.deepEqual(buffer.push(new Uint8Array([0x61, 0xff, 0x62, 0x0a, 0xe6, 0x0a])), [
    "a\ufffdb",
    "\ufffd",
  ]);
});

Deno.test("LineBuffer takes lines up to its limit and nothing after a longer one", () => {
  const buffer = new LineBuffer(5);
  assert.deepEqual(buffer.push(encoder.encode("12345\r\n12345\n")), ["12345", "12345"]);
  assert.equal(buffer.overflowed, false);
  assert.deepEqual(buffer.push(encoder.encode("ok\n1234567\nlost\n")), ["ok"]);
  assert.equal(buffer.overflowed, true);
  assert.deepEqual(buffer.push(encoder.encode("lost\n")), []);
  assert.deepEqual(buffer.end(), []);
});

Deno.test("LineBuffer joins a line of 20 MB from small pieces", () => {
  const buffer = new LineBuffer(64 * 1024 * 1024);
  const piece = encoder.encode("x".repeat(16 * 1024));
  for (let round = 0; round < 1280; round++) assert.deepEqual(buffer.push(piece), []);
  assert.equal(buffer.push(encoder.encode("\n"))[0]?.length, 1280 * 16 * 1024);
  assert.deepEqual(buffer.push(encoder.encode("next\n")), ["next"]);
});
