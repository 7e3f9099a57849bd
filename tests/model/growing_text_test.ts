import assert from "node:assert/strict";
import { type GrowingText, growText } from "../../src/model/growing_text.ts";

const NOTHING: GrowingText = { settled: "", newest: "" };

function grow(pieces: readonly string[]): GrowingText {
  return pieces.reduce(growText, NOTHING);
}

Deno.test("growText() keeps every character, however the text was cut", () => {
  const text = "Grüße, 日本, 🙂\n".repeat(2_000);
  for (const length of [1, 3, 10, 5_000]) {
    const pieces: string[] = [];
    for (let at = 0; at < text.length; at += length) pieces.push(text.slice(at, at + length));
    const { settled, newest } = grow(pieces);
    assert.equal(settled + newest, text);
  }
});

Deno.test("growText() keeps few pieces apart", () => {
  const { newest } = grow(Array.from({ length: 10_000 }, () => "ten bytes\n"));
  assert.ok(newest.length < 4096, `${newest.length} characters are apart`);
});

Deno.test("growText() waits for the other half of a character where it makes one string", () => {
  const { settled, newest } = grow(["x".repeat(5_000) + "\ud83d", "\ude42"]);
  assert.equal(settled + newest, "x".repeat(5_000) + "🙂");
});

Deno.test("growText() replaces halves that never met", () => {
  const { settled } = grow(["\ude42" + "x".repeat(5_000)]);
  assert.equal(settled, "\ufffd" + "x".repeat(5_000));
});
