import assert from "node:assert/strict";
import { conflicts, KEYS, openKeymap } from "../../../src/front/tui/keys.ts";

Deno.test("every key has a description, and no key stands for two actions at one place", () => {
  for (const [action, row] of Object.entries(KEYS)) {
    assert.ok(row.description.length > 0, action);
    assert.ok(row.keys.length > 0, action);
  }
  const keys = new Map(Object.entries(KEYS).map(([action, row]) => [action, row.keys]));
  assert.deepEqual(conflicts(keys), []);
});

Deno.test("openKeymap() puts the person's own keys on top", () => {
  const keymap = openKeymap({ expand: "ctrl+x", cancel: ["ctrl+c", "f1"] });
  assert.deepEqual(keymap.problems, []);
  assert.ok(keymap.is("expand", "\x18"));
  assert.ok(!keymap.is("expand", "\x0f"));
  assert.ok(keymap.is("cancel", "\x03"));
  assert.equal(keymap.label("expand"), "Ctrl-X");
});

Deno.test("openKeymap() names unknown actions, unknown keys and conflicts", () => {
  const { problems } = openKeymap({ fly: "ctrl+x", expand: "strg+x!", thoughts: "ctrl+c" });
  assert.deepEqual(problems, [
    'Unknown action "fly" in the keys setting',
    'Unknown key "strg+x!" for the action "expand"',
    "The key ctrl+c stands for several actions: cancel, thoughts",
  ]);
});

Deno.test("keys are known in the kitty protocol and as xterm sends them, too", () => {
  const keymap = openKeymap();
  assert.ok(keymap.is("cancel", "\x1b[99;5u"));
  assert.ok(keymap.is("newLine", "\x1b[13;2u"));
  assert.ok(keymap.is("newLine", "\x1b[27;2;13~"));
  assert.ok(keymap.is("newLine", "\x1b\r"));
});
