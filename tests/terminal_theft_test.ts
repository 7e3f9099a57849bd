/**
 * What the program starts for an agent cannot reach the terminal that a person types into.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "./support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "./support/run_main.ts";

Deno.test("a command of the agent cannot open our terminal", async () => {
  await using sandbox = await openSandbox();
  const [command = "", ...args] = MAIN_COMMAND;
  const prompt = 'run sh -c "exec 3</dev/tty" && echo opened || echo no terminal';
  const pty = await openPty({
    command,
    args: [...args, "--agent", "demo", "--yolo", "-p", prompt],
    cwd: sandbox.project,
    env: sandbox.env,
  });
  try {
    assert.equal(await pty.exited, 0);
    const text = new TextDecoder().decode(pty.output);
    assert.match(text, /^no terminal\r?$/m);
    assert.doesNotMatch(text, /^opened\r?$/m);
  } finally {
    await pty.kill();
  }
});
