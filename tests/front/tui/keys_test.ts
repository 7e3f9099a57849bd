import assert from "node:assert/strict";
import { openKeymap } from "../../../src/front/tui/keys.ts";

Deno.test("openKeymap() puts the person's own keys on top", () => {
  const keymap = openKeymap({ expand: "ctrl+x", cancel: ["ctrl+c", "f1"] });
  assert.ok(keymap.is("expand", "\x18"));
  assert.ok(!keymap.is("expand", "\x0f"));
  assert.ok(keymap.is("cancel", "\x03"));
  assert.equal(keymap.label("expand"), "Ctrl-X");
});

Deno.test("keys are known in the kitty protocol and as xterm sends them, too", () => {
  const keymap = openKeymap();
  assert.ok(keymap.is("cancel", "\x1b[99;5u"));
  assert.ok(keymap.is("newLine", "\x1b[13;2u"));
  assert.ok(keymap.is("newLine", "\x1b[27;2;13~"));
  assert.ok(keymap.is("newLine", "\x1b\r"));
});
