import assert from "node:assert/strict";
import { encodeFrames, FrameReader } from "../../src/toolbox/frames.ts";

function reading(limit = 1_000_000) {
  const messages: unknown[] = [];
  const prints: string[] = [];
  let overflows = 0;
  const reader = new FrameReader("secret", limit, {
    onMessage: (message) => messages.push(message),
    onPrint: (text) => prints.push(text),
    onOverflow: () => overflows++,
  });
  return { reader, messages, prints, overflows: () => overflows };
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("messages of any size come through, whatever the pieces they are read in", () => {
  const sent = [{ a: 1 }, { text: "é\n".repeat(20_000) }, null];
  const whole = sent.flatMap((message) => encodeFrames("secret", message)).flatMap((f) => [...f]);
  for (const size of [1, 7, 4096, whole.length]) {
    const { reader, messages, prints } = reading();
    for (let at = 0; at < whole.length; at += size) {
      reader.push(new Uint8Array(whole.slice(at, at + size)));
    }
    assert.deepEqual(messages, sent);
    assert.deepEqual(prints, []);
  }
});

Deno.test("prints between, before and after frames stay apart from them", () => {
  const { reader, messages, prints } = reading();
  reader.push(bytes("no newline"));
  const frames = encodeFrames("secret", "x".repeat(10_000));
  for (const [index, frame] of frames.entries()) {
    reader.push(frame);
    reader.push(bytes(`print ${index}`));
  }
  reader.push(bytes("\nsecre=1\n"));
  assert.deepEqual(messages, ["x".repeat(10_000)]);
  assert.equal(prints.length, frames.length + 2);
  assert.equal(prints[0], "no newline");
});

Deno.test("a frame is short enough to be written in one piece", () => {
  const frames = encodeFrames("secret", "x".repeat(100_000));
  assert.ok(frames.every(({ length }) => length <= 4096));
});

Deno.test("a line without an end is handed on in pieces", () => {
  const { reader, prints } = reading();
  for (let n = 0; n < 100; n++) reader.push(bytes("y".repeat(1000)));
  assert.ok(prints.length > 5);
  assert.ok(prints.every((text) => text.length < 10_000));
});

Deno.test("a message above the limit is told once, and ends the reading", () => {
  const { reader, messages, overflows } = reading(10_000);
  for (const frame of encodeFrames("secret", "x".repeat(100_000))) reader.push(frame);
  for (const frame of encodeFrames("secret", "later")) reader.push(frame);
  assert.deepEqual([messages, overflows()], [[], 1]);
});
