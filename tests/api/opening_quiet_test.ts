import assert from "node:assert/strict";
import { OpeningQuiet } from "../../src/api/opening_quiet.ts";
import { SessionStore } from "../../src/model/session_store.ts";
import { handClock } from "../support/hand_clock.ts";

function stage() {
  const { clock, turn } = handClock();
  const store = new SessionStore("/");
  const quiet = new OpeningQuiet(store, clock);
  const state = { passed: false };
  return {
    turn,
    update: () => store.dispatch({ type: "update_received", update: {} }),
    wait: () => void quiet.passed().then(() => state.passed = true),
    state,
  };
}

Deno.test("the first prompt waits until nothing has come for 10 ms", async () => {
  const { turn, update, wait, state } = stage();
  wait();
  await turn(6);
  update();
  await turn(6);
  assert.equal(state.passed, false);
  await turn(4);
  assert.equal(state.passed, true);
});

Deno.test("a session that never falls silent holds its first prompt back for 100 ms at most", async () => {
  const { turn, update, wait, state } = stage();
  wait();
  let ms = 0;
  for (; !state.passed && ms < 200; ms += 5) {
    update();
    await turn(5);
  }
  assert.ok(ms > 40 && ms <= 100, `it was held back for ${ms} ms`);
});

Deno.test("a prompt that comes later does not wait at all", async () => {
  const { turn, wait, state } = stage();
  await turn(10);
  wait();
  await turn(0);
  assert.equal(state.passed, true);
});
