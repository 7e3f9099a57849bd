/**
 * The window of the terminal: its title, its progress, and calls to a person who looks elsewhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import { bytes, count, withTui } from "./harness.ts";
import { LONG_TURN_MS, WindowSignals } from "../../../src/front/tui/window_signals.ts";

const UNFOCUSED = "\x1b[O";
const FOCUSED = "\x1b[I";

const env = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];

Deno.test("the title of the window names the session, and is sent once for each change", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("title A new; title");
    await screen.waitFor("named");
    await enter("hello");
    await screen.waitFor("you said: hello");
    await pty.write("\x04");
    await pty.exited;
    const output = bytes(pty);
    assert.ok(output.includes("\x1b]0;mm-repl — proj\x07"));
    assert.equal(count(output, "\x1b]0;mm-repl — A new; title"), 1);
  });
});

Deno.test("progress is shown while the agent works, where the terminal knows it, and not elsewhere", async () => {
  for (const [program, shown] of [["WezTerm", 1], ["iTerm.app", 0]] as const) {
    await withTui(async ({ pty, screen, enter }) => {
      await enter("lines 50");
      await screen.waitFor((s) => s.text().includes("line 50 of") && s.text().includes("idle"));
      await pty.write("\x04");
      await pty.exited;
      assert.equal(count(bytes(pty), "\x1b]9;4;3\x07"), shown, program);
    }, { env: { TERM_PROGRAM: program } });
  }
});

Deno.test("a question calls a person only while the window has no focus", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await pty.write(FOCUSED);
    await enter("ask");
    await screen.waitFor("1) Allow");
    assert.equal(count(bytes(pty), "A question waits"), 0);
  }, { env: { TERM_PROGRAM: "iTerm.app" } });
  await withTui(async ({ pty, screen, enter }) => {
    await pty.write(UNFOCUSED);
    await enter("ask");
    await screen.waitFor("1) Allow");
    assert.equal(
      count(bytes(pty), "\x1b]9;A question waits: Let the agent run: rm -rf build\x07"),
      1,
    );
  }, { env: { TERM_PROGRAM: "iTerm.app" } });
});

Deno.test("the end of a long turn calls a person whose window has no focus, that of a short one not", async () => {
  for (const [ms, calls] of [[LONG_TURN_MS + 1, 1], [LONG_TURN_MS - 1_000, 0]] as const) {
    await withTui(async ({ pty, screen, enter }) => {
      await pty.write(UNFOCUSED);
      await enter(`took ${ms}`);
      await screen.waitFor("it took a while");
      await screen.waitFor("idle");
      await pty.write("\x04");
      await pty.exited;
      assert.equal(count(bytes(pty), "\x1b]777;notify;mm-repl;The agent has finished\x07"), calls);
    }, { env: { TERM: "foot" } });
  }
});

Deno.test("WindowSignals.notify() goes by the setting, and by what the terminal understands", () => {
  const kitty = new WindowSignals(env({ KITTY_WINDOW_ID: "1" }), "auto");
  assert.equal(kitty.notify("a;b\x07c"), "\x1b]9;a,b␇c\x07");
  assert.equal(new WindowSignals(env({}), "auto").notify("x"), "\x07");
  assert.equal(new WindowSignals(env({ KITTY_WINDOW_ID: "1" }), "bell").notify("x"), "\x07");
  assert.equal(new WindowSignals(env({ KITTY_WINDOW_ID: "1" }), "off").notify("x"), "");
});
