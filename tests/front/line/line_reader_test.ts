import assert from "node:assert/strict";
import { CUT_LINE, readLines, TERMINAL_LINE_BYTES } from "../../../src/front/line/line_reader.ts";

async function lines(
  ...pieces: readonly Uint8Array[]
): Promise<readonly (string | typeof CUT_LINE)[]> {
  return await Array.fromAsync(readLines(ReadableStream.from(pieces)));
}

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("readLines() gives lines without their ends, a last one without an end too", async () => {
  assert.deepEqual(await lines(encode("a\r\n\nb\nc")), ["a", "", "b", "c"]);
  assert.deepEqual(await lines(encode("a\n")), ["a"]);
  assert.deepEqual(await lines(), []);
});

Deno.test("readLines() gives the same for every split of the bytes", async () => {
  const bytes = encode("日本🙂\r\né\n\nend");
  const expected = ["日本🙂", "é", "", "end"];
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(await lines(bytes.slice(0, cut), bytes.slice(cut)), expected);
  }
});

Deno.test("readLines() replaces what is not UTF-8 and leaves a byte order mark out", async () => {
  assert.deepEqual(await lines(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0a])), ["a\ufffd"]);
});

Deno.test("readLines() tells once of bytes that are not UTF-8", async () => {
  const told = async (...pieces: Uint8Array[]) => {
    let count = 0;
    const onNotText = () => count++;
    await Array.fromAsync(readLines(ReadableStream.from(pieces), { onNotText }));
    return count;
  };
  const letter = encode("é");
  assert.equal(await told(encode("a\n\ufffd"), letter.subarray(0, 1), letter.subarray(1)), 0);
  assert.equal(await told(new Uint8Array([0xff, 0x0a]), new Uint8Array([0xff])), 1);
  assert.equal(await told(letter.subarray(0, 1)), 1);
});

Deno.test("readLines() edits what a terminal does not show", async () => {
  const typed = ReadableStream.from([encode("ab\x7fc\x7f\x7f\x7fd"), encode("e\rx\x15y\n")]);
  assert.deepEqual(await Array.fromAsync(readLines(typed, { hidden: () => true })), ["de", "y"]);
  assert.deepEqual(await lines(encode("a\x7fb\n")), ["a\x7fb"]);
});

Deno.test("readLines() names a line that filled the terminal up, and no other", async () => {
  const full = "x".repeat(TERMINAL_LINE_BYTES);
  const read = (terminal: boolean, ...pieces: readonly string[]) =>
    Array.fromAsync(readLines(ReadableStream.from(pieces.map(encode)), { terminal }));
  assert.deepEqual(await read(true, `${full}\n`, "next\n"), [CUT_LINE, "next"]);
  assert.deepEqual(await read(true, "begun ", `${full}\n`, "next\n"), [CUT_LINE, "next"]);
  assert.deepEqual(await read(true, `${full.slice(1)}\n`), [full.slice(1)]);
  assert.deepEqual(await read(true, full, "y\n"), [`${full}y`]);
  assert.deepEqual(await read(false, `${full}\n`), [full]);
});
