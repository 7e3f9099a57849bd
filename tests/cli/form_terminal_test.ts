/**
 * A form of the embedded agent, filled in by a person.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../support/in_terminal.ts";
import { openSandbox } from "../support/run_main.ts";

Deno.test("a form is filled in with keys in the full terminal", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async (terminal) => {
    const { pty, screen, answer } = terminal;
    await screen.waitFor(/idle.*demo/);
    await pty.write("form\r");
    await answer(/How shall the shed be painted[^]*Fill it in/, "1");
    await answer(/Colour \(required\) \(1 of 4\)/, "2");
    await answer(/Coats of paint \(required\) \(2 of 4\)[^]*Enter alone keeps 2/, "9\r");
    await answer(/it must be at most 5/, "3\r");
    await answer(/Name on the door \(3 of 4\)[^]*Enter alone leaves it out/, "\r");
    await answer(/Paint the roof as well \(4 of 4\)/, "1");
    await answer(/Coats of paint: 3[^]*Name on the door: \(left out\)[^]*Send them/, "1");
    await screen.waitFor(/"roof": true/);
    assert.match(screen.all(), /"colour": "green",\s*"coats": 3,\s*"roof": true/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
});

Deno.test("a form is filled in line by line with --plain, and an empty line cancels it", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools", "--plain"], async (terminal) => {
    const { pty, screen, answer } = terminal;
    await screen.waitFor(/^> /m);
    await pty.write("form\n");
    await answer(/1\) Fill it in/, "Fill it in\n");
    await answer(/Question: Colour/, "red\n");
    await answer(/Question: Coats of paint[^]*an empty line keeps 2/, "\n");
    await answer(/Question: Name on the door[^]*an empty line leaves it out/, "Ada\n");
    await answer(/Question: Paint the roof/, "no\n");
    await answer(/Question: Send these answers/, "1\n");
    await screen.waitFor(/"name": "Ada"/);
    await pty.write("form\n");
    await answer((seen) => seen.all().split("1) Fill it in").length === 3, "\n");
    await screen.waitFor(/You did not fill it in \(`cancel`\)/);
    await pty.write("/exit\n");
    assert.equal(await pty.exited, 0);
  });
});
