/**
 * However the program ends, the terminal is as it was found.
 *
 * @module
 */

import assert from "node:assert/strict";
import { assertRestored, assertScrollbackUntouched, bytes, later, withTui } from "./harness.ts";

const SIGNALS = [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const;

/** What it was at: what is typed, and what is waited for. */
const STATES = {
  idle: ["", "idle"],
  streaming: ["lines 2000", "line 20 of"],
  "in a question": ["ask", "1) Allow"],
  searching: ["\x12", "search:"],
} as const;

for (const [state, [typed, seen]] of Object.entries(STATES)) {
  for (const [signal, status] of SIGNALS) {
    Deno.test(`the terminal is restored after ${signal} while ${state}`, async () => {
      await withTui(async ({ pty, screen }) => {
        await pty.write(typed.startsWith("\x12") || typed === "" ? typed : `${typed}\r`);
        await screen.waitFor(seen);
        pty.signal(signal);
        assert.equal(await pty.exited, status);
        await assertRestored(pty);
        assertScrollbackUntouched(pty);
      });
    });
  }
}

Deno.test("Ctrl-D leaves a running turn only when it is pressed again", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("wait");
    await screen.waitFor("Esc cancels");
    await pty.write("\x04");
    await screen.waitFor("Ctrl-D again leaves: a turn runs");
    await screen.waitFor("Esc cancels", 6_000);
    await pty.write("\x04");
    await screen.waitFor("Ctrl-D again leaves: a turn runs");
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
    await assertRestored(pty);
  });
});

Deno.test("Ctrl-D deletes forward in a text, and leaves on an empty line", async () => {
  await withTui(async ({ pty, screen, told }) => {
    await pty.write("ab\x01");
    await screen.waitFor("› ab");
    await pty.write("\x04");
    await screen.waitFor(/› b$/m);
    await pty.write("\r");
    await screen.waitFor("you said: b");
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
    assert.deepEqual((await told()).submitted, ["b"]);
    await assertRestored(pty);
  });
});

Deno.test("a second Ctrl-C that comes late does not leave", async () => {
  await withTui(async ({ pty, screen }) => {
    await pty.write("\x03");
    await screen.waitFor("again leaves");
    await later(2_100);
    await pty.write("\x03");
    await screen.waitFor("again leaves");
    await pty.write("\x03");
    assert.equal(await pty.exited, 130);
  });
});

Deno.test("what the terminal was set to before is set again: the title, and the progress", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("wait");
    await screen.waitFor("working");
    await pty.write("\x03");
    await screen.waitFor("idle");
    await pty.write("\x04");
    await pty.exited;
    const output = bytes(pty);
    assert.ok(output.indexOf("\x1b[22;0t") < output.indexOf("\x1b]0;mm-repl"));
    assert.ok(output.lastIndexOf("\x1b[23;0t") > output.lastIndexOf("\x1b]0;mm-repl"));
    assert.ok(output.lastIndexOf("\x1b]9;4;0\x07") > output.lastIndexOf("\x1b]9;4;3\x07"));
  }, { env: { TERM_PROGRAM: "ghostty" } });
});
