import assert from "node:assert/strict";
import { Output } from "../../src/front/output.ts";

/** A sink that takes a few bytes at a time; `fail` decides what the n-th write throws. */
function openSink(most: number, fail: (count: number) => Error | undefined = () => undefined) {
  const bytes: number[] = [];
  let count = 0;
  return {
    text: () => new TextDecoder().decode(new Uint8Array(bytes)),
    get writes() {
      return count;
    },
    async write(piece: Uint8Array): Promise<number> {
      await Promise.resolve();
      const error = fail(++count);
      if (error !== undefined) throw error;
      const taken = piece.subarray(0, most);
      bytes.push(...taken);
      return taken.length;
    },
  };
}

Deno.test("Output writes everything in order through a sink that takes little at a time", async () => {
  const sink = openSink(3);
  const output = new Output(sink, false);
  for (let i = 0; i < 100; i++) output.write(`${i},é🙂\n`);
  await output.flush();
  const expected = Array.from({ length: 100 }, (_, i) => `${i},é🙂\n`).join("");
  assert.equal(sink.text(), expected);
});

Deno.test("Output hands what piles up over in larger pieces", async () => {
  const sink = openSink(1_000_000);
  const output = new Output(sink, false);
  for (let i = 0; i < 10_000; i++) output.write("0123456789");
  await output.flush();
  assert.equal(sink.text().length, 100_000);
  assert.ok(sink.writes < 10, `${sink.writes} writes`);
});

Deno.test("Output joins the halves of a character and replaces one that stays alone", async () => {
  const sink = openSink(100);
  const output = new Output(sink, false);
  output.write("hi \ud83d");
  await new Promise((resolve) => setTimeout(resolve, 1));
  assert.equal(sink.text(), "hi ");
  output.write("\ude00!");
  await output.flush();
  output.write("\ud83d");
  await output.flush();
  assert.equal(sink.text(), "hi 😀!\ufffd");
});

Deno.test("Output tries a full non-blocking pipe again", async () => {
  const sink = openSink(100, (count) => count < 3 ? new Deno.errors.WouldBlock("full") : undefined);
  const output = new Output(sink, false);
  output.write("all of it");
  await output.flush();
  assert.equal(sink.text(), "all of it");
  assert.equal(output.failure, undefined);
});

Deno.test("Output says when the reader is gone, and neither throws nor waits after that", async () => {
  const sink = openSink(100, (count) => count > 1 ? new Deno.errors.BrokenPipe("gone") : undefined);
  const output = new Output(sink, false);
  output.write("first");
  await output.flush();
  output.write("second");
  await output.flush();
  assert.equal((await output.closed).code, "output_closed");
  assert.equal(output.failure?.code, "output_closed");
  output.write("third");
  await output.flush();
  assert.equal(sink.text(), "first");
});

Deno.test("Output tells a full disk from a reader that is gone", async () => {
  const output = new Output(openSink(100, () => new Error("No space left (os error 28)")), false);
  output.write("lost");
  await output.flush();
  assert.equal(output.failure?.code, "output_failed");
  assert.match(output.failure?.message ?? "", /Cannot write to stdout: No space left/);
});
