import assert from "node:assert/strict";
import { answersLast } from "../../src/transport/answer_order.ts";

const ANSWER = { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } };
const update = (n: number) => ({ jsonrpc: "2.0", method: "session/update", params: { n } });

Deno.test("answersLast() lets updates pass that come within a moment of an answer", async () => {
  const messages = new ReadableStream<unknown>({
    async start(controller) {
      controller.enqueue(ANSWER);
      for (const n of [1, 2]) {
        controller.enqueue(update(n));
        await Promise.resolve();
      }
    },
  });
  const reader = answersLast(messages, 20).getReader();
  const read = [1, 2, 3].map(async () => (await reader.read()).value);
  assert.deepEqual(await Promise.all(read), [update(1), update(2), ANSWER]);
  await reader.cancel();
});

Deno.test("answersLast() holds nothing back but what ends a turn", async () => {
  const opened = { jsonrpc: "2.0", id: 1, result: { sessionId: "s" } };
  const messages = new ReadableStream<unknown>({ start: (to) => to.enqueue(opened) });
  const reader = answersLast(messages, 1_000_000).getReader();
  assert.deepEqual((await reader.read()).value, opened);
  await reader.cancel();
});

Deno.test("answersLast() loses no answer when the messages end or fail", async () => {
  const ended = new ReadableStream<unknown>({
    start(controller) {
      controller.enqueue(ANSWER);
      controller.close();
    },
  });
  assert.deepEqual(await Array.fromAsync(answersLast(ended, 1_000_000)), [ANSWER]);

  let fail = (_: unknown) => {};
  const failed = new ReadableStream<unknown>({
    start(controller) {
      controller.enqueue(ANSWER);
      fail = (error) => controller.error(error);
    },
  });
  const reader = answersLast(failed, 1_000_000).getReader();
  const first = reader.read();
  await new Promise((resolve) => setTimeout(resolve));
  fail(new Error("gone"));
  assert.deepEqual((await first).value, ANSWER);
  await assert.rejects(reader.read(), /gone/);
});

Deno.test("answersLast() does not wait for ever for messages that keep coming", async () => {
  let feeding: ReturnType<typeof setInterval> | undefined;
  const messages = new ReadableStream<unknown>({
    start(controller) {
      controller.enqueue(ANSWER);
      feeding = setInterval(() => controller.enqueue(update(0)), 2);
    },
    cancel: () => clearInterval(feeding),
  });
  const reader = answersLast(messages, 500).getReader();
  while ((await reader.read()).value !== ANSWER);
  await reader.cancel();
});
