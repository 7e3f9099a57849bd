/**
 * Slash commands and what they say, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";

const DEMO = ["--agent", "demo", "--no-tools"];

Deno.test("a command that fails stands above what it says", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("/switch 7\r");
    await screen.waitFor(/^› \/switch 7\n\n✗ error: There is no open session 7/m);
    await pty.write("/nosuch\r");
    await screen.waitFor(/^› \/nosuch$/m);
    await screen.waitFor("idle");
    assert.equal(screen.all().match(/^› \/nosuch$/gm)?.length, 1);
  });
});

Deno.test("the name of a session stands above everything of it", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, DEMO, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("slow 10\r");
    await screen.waitFor("working");
    await pty.write("/new\r");
    await screen.waitFor("── session:");
    // Its answer and the end of its turn: nothing of it is still to come.
    await screen.waitFor(/1\d updates elsewhere/);
    await pty.write("/switch 1\r");
    await screen.waitFor(/^· Session slow 10 in /m);
    assert.match(
      screen.all(),
      /^› \/switch 1\n\n── session: slow 10 ──\n\n[^]*\b9 10\b/m,
    );
    assert.doesNotMatch(screen.all(), /\b9 10\b[^]*── session: slow 10 ──/);
  });
});
