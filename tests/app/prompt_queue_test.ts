import assert from "node:assert/strict";
import type { TurnOutcome } from "../../src/model/session.ts";
import { PromptQueue } from "../../src/app/prompt_queue.ts";

const ENDED: TurnOutcome = { ok: true, stopReason: "end_turn" };
const CANCELLED: TurnOutcome = { ok: true, stopReason: "cancelled" };

const prompt = (text: string) => ({ text, attachments: [] });

/** A queue whose turns the test ends by hand. */
function openQueue(options: { readonly hold?: boolean; readonly keeps?: boolean } = {}) {
  const sent: string[] = [];
  const ends: ((outcome: TurnOutcome | undefined) => void)[] = [];
  const control = { ready: true, held: 0 };
  const queue = new PromptQueue({
    send: ({ text }) => {
      sent.push(text);
      return new Promise((resolve) => ends.push(resolve));
    },
    ready: () => control.ready,
    holdAfterTrouble: options.hold ?? true,
    keepsUnsent: () => options.keeps ?? true,
    changed: () => {},
    held: () => control.held++,
  });
  const settle = async (outcome: TurnOutcome | undefined) => {
    ends.shift()?.(outcome);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const end = (outcome: TurnOutcome = ENDED) => settle(outcome);
  return { queue, sent, control, end, endUnsent: () => settle(undefined) };
}

Deno.test("PromptQueue sends one prompt after the other, in order", async () => {
  const { queue, sent, end } = openQueue();
  const outcomes = ["a", "b", "c"].map((text) => queue.add(prompt(text)));
  assert.deepEqual(sent, ["a"]);
  assert.deepEqual(queue.texts, ["b", "c"]);
  await end();
  assert.deepEqual(sent, ["a", "b"]);
  await end();
  await end();
  assert.deepEqual(await Promise.all(outcomes), [ENDED, ENDED, ENDED]);
});

Deno.test("PromptQueue waits until it is ready", () => {
  const { queue, sent, control } = openQueue();
  control.ready = false;
  void queue.add(prompt("a"));
  assert.deepEqual(sent, []);
  control.ready = true;
  queue.pump();
  assert.deepEqual(sent, ["a"]);
});

Deno.test("PromptQueue keeps the rest after a cancelled turn until it is released", async () => {
  const { queue, sent, control, end } = openQueue();
  for (const text of ["a", "b", "c"]) void queue.add(prompt(text));
  await end(CANCELLED);
  assert.deepEqual(sent, ["a"]);
  assert.equal(control.held, 1);
  assert.equal(queue.held, true);
  queue.pump();
  assert.deepEqual(sent, ["a"]);
  assert.equal(queue.release(), true);
  assert.deepEqual(sent, ["a", "b"]);
});

Deno.test("PromptQueue keeps the rest after a cancel however the turn ends, and only then", async () => {
  const { queue, sent, control, end } = openQueue();
  queue.cancelled();
  for (const text of ["a", "b", "c"]) void queue.add(prompt(text));
  queue.cancelled();
  await end(ENDED);
  assert.deepEqual(sent, ["a"]);
  assert.equal(control.held, 1);
  queue.release();
  await end(ENDED);
  assert.deepEqual(sent, ["a", "b", "c"]);
});

Deno.test("PromptQueue goes on after a failed turn where nobody could release it", async () => {
  const { queue, sent, end } = openQueue({ hold: false });
  for (const text of ["a", "b"]) void queue.add(prompt(text));
  await end({ ok: false, error: { code: "turn_failed", message: "no" } });
  assert.deepEqual(sent, ["a", "b"]);
});

Deno.test("PromptQueue sends an urgent prompt next although the turn before it was cancelled", async () => {
  const { queue, sent, end } = openQueue();
  for (const text of ["a", "b"]) void queue.add(prompt(text));
  void queue.add(prompt("now"), true);
  queue.cancelled();
  await end(CANCELLED);
  assert.deepEqual(sent, ["a", "now"]);
  await end();
  assert.deepEqual(sent, ["a", "now", "b"]);
});

Deno.test("PromptQueue gives the newest prompt back and drops the rest, settling both", async () => {
  const { queue } = openQueue();
  void queue.add(prompt("a"));
  const b = queue.add(prompt("b"));
  const c = queue.add(prompt("c"));
  assert.equal(queue.takeNewest()?.text, "c");
  assert.equal(await c, undefined);
  assert.equal(queue.clear(), 1);
  assert.equal(await b, undefined);
  assert.equal(queue.takeNewest(), undefined);
});

Deno.test("PromptQueue takes back what could not be sent, and sends it once it is pumped", async () => {
  const { queue, sent, control, end, endUnsent } = openQueue();
  const outcomes = ["a", "b"].map((text) => queue.add(prompt(text)));
  await endUnsent();
  assert.deepEqual([queue.texts, sent, control.held], [["a", "b"], ["a"], 0]);
  queue.pump();
  await end();
  await end();
  assert.deepEqual(sent, ["a", "a", "b"]);
  assert.deepEqual(await Promise.all(outcomes), [ENDED, ENDED]);
});

Deno.test("PromptQueue sends again what it takes back when it was pumped meanwhile", async () => {
  const { queue, sent, end, endUnsent } = openQueue();
  const outcome = queue.add(prompt("a"));
  queue.pump();
  await endUnsent();
  assert.deepEqual(sent, ["a", "a"]);
  await end();
  assert.deepEqual([await outcome, queue.texts], [ENDED, []]);
});

Deno.test("PromptQueue gives up what could not be sent where nobody starts the agent again", async () => {
  const { queue, endUnsent } = openQueue({ keeps: false });
  const outcome = queue.add(prompt("a"));
  await endUnsent();
  assert.deepEqual([await outcome, queue.texts], [undefined, []]);
});
