import assert from "node:assert/strict";
import { Listeners } from "../../src/base/listeners.ts";

Deno.test("Listeners calls each in order, also when one leaves meanwhile", () => {
  const listeners = new Listeners<number>();
  const heard: string[] = [];
  const leave = listeners.add((value) => {
    heard.push(`a${value}`);
    leave();
  });
  listeners.add((value) => heard.push(`b${value}`));
  listeners.emit(1);
  listeners.emit(2);
  assert.deepEqual(heard, ["a1", "b1", "b2"]);
});

Deno.test("a listener that throws costs nobody else, and its error is reported", () => {
  const listeners = new Listeners<number>();
  const heard: number[] = [];
  const reported: unknown[] = [];
  const fault = new Error("a fault");
  listeners.add(() => {
    throw fault;
  });
  listeners.add((value) => heard.push(value));
  const take = (event: ErrorEvent) => {
    event.preventDefault();
    reported.push(event.error);
  };
  globalThis.addEventListener("error", take);
  try {
    listeners.emit(1);
  } finally {
    globalThis.removeEventListener("error", take);
  }
  assert.deepEqual(heard, [1]);
  assert.deepEqual(reported, [fault]);
});
