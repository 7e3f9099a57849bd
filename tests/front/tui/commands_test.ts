/**
 * Slash commands and what they say, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { later, QUIET_MS } from "./harness.ts";

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

const initialize = (agentCapabilities: unknown): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities } },
];

Deno.test("a command stands above the answer to what it asks, and is named while it waits", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...initialize({ sessionCapabilities: { list: {}, delete: {} } }),
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "s0", cwd: "/", title: "Old talk" }] } },
    { expect: "session/delete" },
    { untilFile: "$DIR/go" },
    { respond: {} },
  ]);
  await inTerminal(sandbox, ["--agent", commandLine(agent)], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("/delete s0\r");
    await screen.waitFor("Yes, delete it");
    await later(QUIET_MS);
    await pty.write("1");
    await screen.waitFor(/^› \/delete s0\n\n\? Delete the session Old talk\? — Yes, delete it$/m);
    await screen.waitFor(/^waiting · .*\/delete s0 …/m);
    await Deno.writeTextFile(`${agent.directory}/go`, "");
    await screen.waitFor("Session Old talk is deleted");
    await screen.waitFor(/^idle · /m);
    assert.equal(screen.all().match(/^› \/delete s0$/gm)?.length, 1);
  });
});

Deno.test("the question of a background session names it once", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { send: update({ sessionUpdate: "session_info_update", title: "Errand" }) },
    { expect: "session/prompt" },
    say("at it"),
    { expect: "session/new" },
    { respond: { sessionId: "s2" } },
    askPermission("p", "c1"),
    { expectAnswer: "p" },
    END_TURN,
  ]);
  await inTerminal(sandbox, ["--agent", commandLine(agent)], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("go\r");
    await screen.waitFor("at it");
    await pty.write("/new\r");
    await screen.waitFor("waiting for your answer");
    assert.deepEqual(screen.text().match(/^┃.*Errand.*$/gm), [
      "┃ [session Errand] Let the agent use a tool: c1",
    ]);
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
    // Nothing of it is still to come then.
    await screen.waitFor("The turn of session slow 10 has ended");
    await pty.write("/switch 1\r");
    await screen.waitFor(/^· Session slow 10 in /m);
    assert.match(
      screen.all(),
      /^› \/switch 1\n\n── session: slow 10 ──\n\n[^]*\b9 10\b/m,
    );
    assert.doesNotMatch(screen.all(), /\b9 10\b[^]*── session: slow 10 ──/);
  });
});
