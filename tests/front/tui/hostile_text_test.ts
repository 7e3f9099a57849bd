/**
 * Text that would do something to a terminal, wherever a person meets it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { bytes, later, QUIET_MS, withTui } from "./harness.ts";

/** Clears the screen, turns the text around, begins a line: each by one character. */
const HOSTILE = "a\u009b2Jb\u202ec\u2028d";
const RAW = /[\u0080-\u009f\u202e\u2028]/;

Deno.test("a text with control characters is edited, queued, taken back, found and sent as it is", async () => {
  await withTui(async ({ pty, screen, enter, told }) => {
    const shown = "a\ufffd2Jb\ufffdc\ufffdd";
    await pty.write(HOSTILE);
    await screen.waitFor(`› ${shown}`);
    await pty.write("\x1b[D\x1b[D\x1b[Dx\x1b[F");
    await screen.waitFor("b\ufffdxc\ufffdd");
    await pty.write("\r");
    await screen.waitFor("you said");
    await enter("wait");
    await screen.waitFor("working");
    await enter(HOSTILE);
    await screen.waitFor("queued: ab<U+202E>c<U+2028>d");
    await pty.write("\x1b[A");
    await screen.waitFor(`› ${shown}`);
    await pty.write("\x15\x12\u202e");
    await screen.waitFor(/search: <U\+202E>\n {2}ab<U\+202E>c/);
    await pty.write("\r");
    await screen.waitFor(`› ${shown}`);
    await pty.write("\x03");
    await screen.waitFor("idle");
    await pty.write(`\x1b[200~${HOSTILE}\x1b[201~`);
    await screen.waitFor(`› ${shown}${shown}`);
    await pty.write("\r");
    await screen.waitFor((s) =>
      s.text().includes("idle") && s.text().split("you said").length === 3
    );
    await enter(`title ${HOSTILE}`);
    await screen.waitFor("named");
    await pty.write("\x04");
    await pty.exited;
    assert.doesNotMatch(bytes(pty), RAW);
    assert.deepEqual((await told()).submitted, [
      HOSTILE.replace("c", "xc"),
      "wait",
      HOSTILE,
      HOSTILE + HOSTILE,
      `title ${HOSTILE}`,
    ]);
  });
});

Deno.test("a change of thirty thousand lines is asked about, and printed whole on demand", async () => {
  await withTui(async ({ pty, screen, enter }) => {
    await enter("askedit 30000");
    await screen.waitFor(/┃ big\.txt \+15000 −15000/, 60_000);
    await screen.waitFor(/… \d+ more lines: v prints all/);
    await later(QUIET_MS);
    await pty.write("v");
    await later(QUIET_MS);
    await pty.write("1");
    await screen.waitFor((s) => s.text().includes("idle"), 60_000);
    assert.ok(screen.all().includes("chosen: yes"));
    const printed = screen.all().split("┌ what is asked")[1]?.split("\n└")[0] ?? "";
    assert.equal(printed.match(/^ +\d+ \+ new \d+$/gm)?.length, 15_000);
  });
});
