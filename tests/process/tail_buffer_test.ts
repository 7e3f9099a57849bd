import assert from "node:assert/strict";
import fc from "fast-check";
import { TailBuffer } from "../../src/process/tail_buffer.ts";

const encoder = new TextEncoder();

Deno.test("TailBuffer keeps everything that fits, however it comes", () => {
  const text = "日本語🙂é\nnext\n";
  fc.assert(fc.property(fc.array(fc.nat(30), { size: "max", maxLength: 10 }), (cuts) => {
    const bytes = encoder.encode(text);
    const tail = new TailBuffer(100);
    const lines: string[] = [];
    tail.onLine((line) => lines.push(line));
    let decoded = "";
    let start = 0;
    for (const cut of [...cuts.sort((a, b) => a - b), bytes.length]) {
      decoded += tail.push(bytes.subarray(start, Math.max(start, cut)));
      start = Math.max(start, cut);
    }
    tail.end();
    assert.equal(decoded, text);
    assert.equal(tail.text(), text);
    assert.deepEqual(lines, ["日本語🙂é", "next"]);
  }));
});

Deno.test("TailBuffer keeps the end, from the start of a line on", () => {
  fc.assert(fc.property(fc.array(fc.nat(20), { size: "max", maxLength: 20 }), (sizes) => {
    const tail = new TailBuffer(50);
    let all = "";
    sizes.forEach((size, index) => {
      const line = `${index}`.padEnd(size, "é") + "\n";
      all += line;
      tail.push(encoder.encode(line));
    });
    const text = tail.text();
    assert.ok(all.endsWith(text));
    assert.ok(encoder.encode(text).length <= 50);
    if (encoder.encode(all).length <= 50) assert.equal(text, all);
    else assert.ok(all.endsWith("\n" + text));
  }));
});

Deno.test("TailBuffer tells what came since somebody watches, as far as it is kept", () => {
  fc.assert(fc.property(fc.array(fc.nat(20), { maxLength: 10 }), fc.nat(10), (sizes, begin) => {
    const tail = new TailBuffer(50);
    let since = "";
    let watched: (() => string) | undefined;
    [...sizes, 3].forEach((size, index) => {
      if (index === Math.min(begin, sizes.length)) watched = tail.watch();
      const line = "x".repeat(size) + "\n";
      if (watched !== undefined) since += line;
      tail.push(encoder.encode(line));
    });
    const text = watched?.() ?? "";
    if (since.length < 50) assert.equal(text, since);
    else assert.ok(since.endsWith(text) && text.length > 0);
  }));
});

Deno.test("TailBuffer cuts one long line between characters", () => {
  const tail = new TailBuffer(10);
  tail.push(encoder.encode("日本語日本語"));
  assert.equal(tail.text(), "日本語");
});

Deno.test("TailBuffer gives a line without end in bounded parts", () => {
  const tail = new TailBuffer(10);
  const lines: string[] = [];
  tail.onLine((line) => lines.push(line));
  for (let round = 0; round < 100; round++) tail.push(encoder.encode("x".repeat(1000)));
  tail.end();
  assert.equal(lines.join("").length, 100_000);
  assert.ok(lines.every((line) => line.length < 18_000));
});
