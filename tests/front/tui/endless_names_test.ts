/**
 * Names of megabytes, with the real program: they are cut, and typing goes on beside them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  commandLine,
  END_TURN,
  INITIALIZE,
  scriptedAgent,
  SESSION,
  update,
} from "../../support/scripted_agent.ts";

/** Endless, with characters that have to be looked at one by one. */
function endless(name: string): string {
  return name + "x\u202e\x1b[2J日".repeat(300_000);
}

Deno.test("modes, titles, calls, plans and commands of megabytes cost no more than what is seen", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...INITIALIZE,
    { expect: "session/new" },
    {
      respond: {
        sessionId: SESSION,
        modes: {
          currentModeId: "m1",
          availableModes: [{ id: "m1", name: endless("mode") }],
        },
      },
    },
    { send: update({ sessionUpdate: "session_info_update", title: endless("title") }) },
    {
      send: update({
        sessionUpdate: "available_commands_update",
        availableCommands: [{
          name: "zeta",
          description: endless("description"),
          input: { hint: endless("hint") },
        }],
      }),
    },
    { send: update({ sessionUpdate: "usage_update", used: 777, size: 1_000 }) },
    { expect: "session/prompt" },
    {
      send: update({
        sessionUpdate: "tool_call",
        toolCallId: "t1",
        title: endless("call"),
        kind: "execute",
        status: "in_progress",
        rawInput: { command: endless("command") },
        locations: [{ path: endless("/path") }],
      }),
    },
    {
      send: update({
        sessionUpdate: "plan",
        entries: [{ content: endless("step"), status: "pending", priority: "high" }],
      }),
    },
    { expect: "session/cancel" },
    END_TURN,
  ]);
  const words = ["--no-tools", "--agent", commandLine(agent)];
  await inTerminal(sandbox, words, async ({ pty, screen }) => {
    await screen.waitFor(/idle · mode.* · 777/, 30_000);
    await pty.write("/ze");
    await screen.waitFor(/→ \/zeta hint/, 30_000);
    await pty.write("\x15go\r");
    await screen.waitFor(/\[ \] step/, 30_000);
    const before = pty.output.length;
    for (let i = 0; i < 40; i++) await pty.write(`${i % 10}`);
    await screen.waitFor(`› ${"0123456789".repeat(4)}`, 30_000);
    assert.ok(pty.output.length - before < 20_000, `${pty.output.length - before} bytes`);
    await pty.write("\x03");
    await screen.waitFor("idle", 30_000);
  });
});
