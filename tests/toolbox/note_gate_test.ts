import assert from "node:assert/strict";
import { NoteGate } from "../../src/toolbox/host/note_gate.ts";

Deno.test("NoteGate passes what can be read, and counts what it holds back", () => {
  const passed: string[] = [];
  const gate = new NoteGate(({ text }) => passed.push(text));
  const start = Date.now() + 60_000;
  for (let n = 0; n < 2_000; n++) gate.say({ kind: "log", text: `line ${n}` }, start);
  assert.equal(passed.length, 500);
  gate.say({ kind: "progress", text: "later" }, start + 1_000);
  assert.deepEqual(passed.slice(500), ["… 1500 lines were too many at once and left out", "later"]);
  gate.end();
  assert.equal(passed.length, 502);
});

Deno.test("NoteGate lets a line a second pass for ever, and tells at the end what it held back", () => {
  const passed: string[] = [];
  const gate = new NoteGate(({ text }) => passed.push(text));
  const start = Date.now();
  for (let n = 0; n < 2_000; n++) gate.say({ kind: "log", text: "tick" }, start + n * 1_000);
  assert.equal(passed.length, 2_000);
  for (let n = 0; n < 501; n++) gate.say({ kind: "log", text: "tick" }, start + 2_000_000);
  gate.end();
  assert.equal(passed.at(-1), "… 1 line was too many at once and left out");
});
