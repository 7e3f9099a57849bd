import assert from "node:assert/strict";
import { parseMentions } from "../../src/app/mentions.ts";
import type { Clock } from "../../src/base/clock.ts";
import { completePrompts, type Input } from "../../src/cli/prompts.ts";

function stdin(...parts: readonly (string | Uint8Array)[]): Input {
  const encoder = new TextEncoder();
  const bytes = parts.map((part) => typeof part === "string" ? encoder.encode(part) : part);
  return { readable: ReadableStream.from(bytes), terminal: false };
}

/** Silence is over at once. */
const impatient: Clock = {
  now: () => 0,
  after(_ms, callback) {
    const id = setTimeout(callback, 0);
    return () => clearTimeout(id);
  },
};

/** A pipe that somebody holds open. */
function silent(): Input & { readonly cancelled: () => boolean } {
  let cancelled = false;
  const readable = new ReadableStream<Uint8Array>({
    cancel() {
      cancelled = true;
    },
  });
  return { readable, terminal: false, cancelled: () => cancelled };
}

Deno.test("completePrompts() adds what is piped in to the first prompt as context", async () => {
  assert.deepEqual(await completePrompts(["a", "b"], stdin("one ", "two\n")), [
    "a\n\none two\n",
    "b",
  ]);
});

Deno.test("completePrompts() leaves the prompts alone when nothing is piped in", async () => {
  assert.deepEqual(await completePrompts(["a"], stdin()), ["a"]);
  assert.deepEqual(await completePrompts(["a"], stdin(" \n")), ["a"]);
  assert.deepEqual(await completePrompts(["a"], { ...stdin("typed"), terminal: true }), ["a"]);
});

Deno.test("completePrompts() takes the prompt - from stdin, characters split between reads", async () => {
  const bytes = new TextEncoder().encode("é\n");
  const input = stdin(bytes.subarray(0, 1), bytes.subarray(1), new Uint8Array([0xff]));
  const options = { say: () => {} };
  assert.deepEqual(await completePrompts(["-", "b"], input, options), ["é\n\ufffd", "b"]);
});

Deno.test("completePrompts() says so when stdin is not text, and only then", async () => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const half = new TextEncoder().encode("é").subarray(0, 1);
  for (const prompt of ["-", "about this"]) {
    await completePrompts([prompt], stdin("an honest \ufffd, é", "\n"), { say });
    assert.deepEqual(said.splice(0), []);
    for (const bytes of [new Uint8Array([0x61, 0xff, 0x62]), half]) {
      await completePrompts([prompt], stdin("text ", bytes), { say });
      assert.match(said.splice(0).join("\n"), /^mm-repl: stdin is not UTF-8 text: .*$/);
    }
  }
});

Deno.test("completePrompts() goes on without a stdin that stays silent, and says so", async () => {
  const said: string[] = [];
  const input = silent();
  assert.deepEqual(
    await completePrompts(["a"], input, {
      say: (line) => said.push(line),
      clock: impatient,
    }),
    ["a"],
  );
  assert.equal(said.length, 1);
  assert.ok(input.cancelled());
});

Deno.test("completePrompts() waits for the end of a stdin that has begun, and says so", async () => {
  const said = Promise.withResolvers<string>();
  const readable = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode("one "));
      await said.promise;
      controller.enqueue(new TextEncoder().encode("two"));
      controller.close();
    },
  });
  const prompts = await completePrompts(["a"], { readable, terminal: false }, {
    say: said.resolve,
    clock: impatient,
  });
  assert.deepEqual(prompts, ["a\n\none two"]);
  assert.match(await said.promise, /waiting/);
});

Deno.test("completePrompts() lets nothing from stdin mention a file", async () => {
  const [prompt = ""] = await completePrompts(["see @a.ts"], stdin("@@ -1 @@\n+@.env\n"));
  const { text, mentions } = parseMentions(prompt);
  assert.equal(text, "see @a.ts\n\n@@ -1 @@\n+@.env\n");
  assert.deepEqual(mentions, [{ paths: ["a.ts"] }]);
  const [piped = ""] = await completePrompts(["-"], stdin("@.env"));
  assert.deepEqual(parseMentions(piped), { text: "@.env", mentions: [] });
});

Deno.test("completePrompts() refuses empty prompts", async () => {
  await assert.rejects(completePrompts([""], stdin()), { code: "usage" });
  await assert.rejects(completePrompts([" \n"], stdin()), { code: "usage" });
  await assert.rejects(completePrompts(["-"], stdin("\n")), { code: "usage" });
  await assert.rejects(completePrompts(["-", "-"], stdin("x")), { code: "usage" });
});
