/**
 * Pasted text: it is text, whatever is in it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { later, QUIET_MS, withTui } from "./harness.ts";

const START = "\x1b[200~";
const END = "\x1b[201~";

Deno.test("Ctrl-C leaves a paste whose end does not come", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write(`${START}left open`);
    await later(400);
    await pty.write("\x03");
    await later(100);
    await pty.write("typed\r");
    await screen.waitFor("you said: typed");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["typed"]);
  });
});

Deno.test("a paste whose end does not come ends by itself", async () => {
  await withTui(async ({ pty, screen }) => {
    await pty.write(`${START}left open`);
    await screen.waitFor((s) => s.text().trimEnd().endsWith("› left open"), 6_000);
    await pty.write("!");
    await screen.waitFor("› left open!");
  });
});

Deno.test("an Escape between pastes is the key", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("wait");
    await screen.waitFor("working");
    await pty.write(`${START}x${END}`);
    await screen.waitFor("› x");
    await pty.write("\x1b");
    await screen.waitFor("idle");
    await screen.waitFor("› x");
  });
});

Deno.test("text that is pasted while a question is asked goes to the editor and answers nothing", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("ask\r");
    await screen.waitFor("1) Allow");
    await later(QUIET_MS);
    await pty.write(`${START}1\r2\n${END}`);
    await screen.waitFor("› 1");
    assert.match(screen.text(), /1\) Allow/);
    await pty.write("\x1b");
    await screen.waitFor("digit, or arrows and Enter");
    await later(QUIET_MS);
    await pty.write("\x1b");
    await screen.waitFor("chosen: no");
    await pty.write("\x03\x04");
    const { answers, submitted } = await told();
    assert.deepEqual(submitted, ["ask"]);
    assert.deepEqual(answers, [{ type: "dismissed" }]);
  });
});

Deno.test("a large paste can be edited around, taken back by undo and sent whole", async () => {
  const text = Array.from({ length: 30_000 }, (_, i) => `line ${i}`).join("\n");
  await withTui(async ({ pty, screen, told }) => {
    await pty.write(`a ${START}${text}${END} b`);
    await screen.waitFor("› a [paste #1 +30000 lines] b");
    await pty.write("\x7f\x7f\x7f");
    await screen.waitFor((s) => s.text().trimEnd().endsWith("› a"));
    await pty.write("\x1f\x1f\x1f");
    await screen.waitFor("[paste #1 +30000 lines]");
    await pty.write("\x05\r");
    await screen.waitFor("you said: a line 0");
    await pty.write("\x04");
    assert.equal((await told()).submitted[0]?.trim().replace(/ b?$/, ""), `a ${text}`);
  });
});

Deno.test("control characters in a paste are no keys and do not reach the screen", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write(`${START}a\x1b[31mb\x07\x03c${END}\r`);
    await screen.waitFor("you said: a[31mbc");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, ["a[31mbc"]);
  });
});

Deno.test("what a terminal sends as if it was typed is one mark when it is long, and sent whole", async () => {
  const text = "wörd ".repeat(20_000);
  await withTui(async ({ pty, screen, told }) => {
    await pty.write(`see ${text}end`);
    await screen.waitFor(/› \[paste #1 100007 chars\]$/m);
    await pty.write(" ok\r");
    await screen.waitFor("you said: see wörd");
    await pty.write("\x04");
    assert.deepEqual((await told()).submitted, [`see ${text}end ok`]);
  });
});
