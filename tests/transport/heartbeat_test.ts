import assert from "node:assert/strict";
import type { Clock } from "../../src/base/clock.ts";
import { Heartbeat } from "../../src/transport/heartbeat.ts";

const TIMES = { quietMs: 45, idleMs: 60, busyMs: 300 };

/** A heartbeat on a clock that is turned by hand, and what it did. */
function start(busy = false) {
  let now = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  let ids = 0;
  const clock: Clock = {
    now: () => now,
    after(ms, callback) {
      const id = ids++;
      timers.set(id, { at: now + ms, callback });
      return () => timers.delete(id);
    },
  };
  const done: string[] = [];
  const heartbeat = new Heartbeat({
    times: TIMES,
    busy: () => busy,
    ping: () => done.push(`ping at ${now}`),
    gone: (silentMs) => done.push(`gone at ${now} after ${silentMs}`),
  }, clock);
  const turn = (to: number) => {
    for (; now < to; now++) {
      for (const [id, { at, callback }] of [...timers]) {
        if (at > now || !timers.delete(id)) continue;
        callback();
      }
    }
  };
  return { heartbeat, done, turn };
}

Deno.test("Heartbeat asks after a silence, and again after signs of life", () => {
  const { heartbeat, done, turn } = start();
  heartbeat.alive();
  turn(40);
  heartbeat.alive();
  turn(86);
  assert.deepEqual(done, ["ping at 85"]);
  heartbeat.alive(true);
  turn(140);
  assert.deepEqual(done, ["ping at 85", "ping at 131"]);
});

Deno.test("Heartbeat gives up on a server that has answered before", () => {
  const { heartbeat, done, turn } = start();
  heartbeat.alive(true);
  turn(1_000);
  assert.deepEqual(done, ["ping at 45", "gone at 105 after 105"]);
});

Deno.test("Heartbeat waits longer for a server that has work to do", () => {
  const { heartbeat, done, turn } = start(true);
  heartbeat.alive(true);
  turn(1_000);
  assert.deepEqual(done, ["ping at 45", "gone at 345 after 345"]);
});

Deno.test("Heartbeat leaves a server alone that never answers such questions", () => {
  const { heartbeat, done, turn } = start();
  heartbeat.alive();
  turn(300);
  assert.deepEqual(done, ["ping at 45", "ping at 150", "ping at 255"]);
});

Deno.test("Heartbeat does nothing before the first sign of life and after its end", () => {
  const { heartbeat, done, turn } = start();
  turn(100);
  heartbeat.alive(true);
  heartbeat.stop();
  heartbeat.alive(true);
  turn(1_000);
  assert.deepEqual(done, []);
});
