/**
 * Commands that run for the agent, as a person sees them in a real terminal.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { isAlive, openSandbox } from "../../support/run_main.ts";
import {
  ask,
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";

/** The terminal is the first that the agent creates, whatever its id is: the agent names it so. */
const CALL: Step = {
  send: update({
    sessionUpdate: "tool_call",
    toolCallId: "c",
    title: "Build it",
    kind: "execute",
    status: "in_progress",
    content: [{ type: "terminal", terminalId: "$created" }],
  }),
};

Deno.test("output of a command keeps its colours, loses everything else, and stays when it is released", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    ask("t", "terminal/create", {
      command: "printf '\\033[31mred\\033[0m \\033[2Jplain\\033]0;evil\\007\\n'; " +
        "while [ ! -e go ]; do sleep 0.02; done; echo the last line",
    }),
    { expectAnswer: "t" },
    CALL,
    { untilFile: "$DIR/go" },
    ask("w", "terminal/wait_for_exit", { terminalId: "$created" }),
    { expectAnswer: "w" },
    ask("r", "terminal/release", { terminalId: "$created" }),
    { expectAnswer: "r" },
    ask("gone", "terminal/output", { terminalId: "$created" }),
    { expectAnswer: "gone" },
    { send: update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }) },
    say("built"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  const args = ["--no-tools", "--cwd", agent.directory, "--agent", commandLine(agent)];
  await inTerminal(sandbox, args, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("go\r");
    await screen.waitFor(/red plain/);
    assert.doesNotMatch(screen.text(), /the last line/);
    await Deno.writeTextFile(`${agent.directory}/go`, "");
    await screen.waitFor(/built[^]*idle/);
    assert.match(screen.all(), /Build it · done[^]*red plain\n *the last line\n[^]*built/);
    assert.equal(screen.all().split("the last line").length, 2);
    const written = new TextDecoder().decode(pty.output);
    // deno-lint-ignore no-control-regex
    assert.match(written, /\x1b\[[\d;]*31mred/);
    assert.doesNotMatch(written, /evil/);
    assert.ok(!written.includes("\x1b[2J"));
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
  });
  const [answer] = await agent.answersTo("gone");
  assert.equal((answer?.error as { readonly code: number }).code, -32002);
});

Deno.test("Ctrl-C cancels the turn and is no signal to what runs for the agent", async () => {
  const script = "trap 'echo hit > hit' INT; touch up; while [ ! -e go ]; do sleep 0.02; done; " +
    "echo survived";
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    ask("t", "terminal/create", { command: script }),
    { expectAnswer: "t" },
    { untilFile: "$DIR/up" },
    say("it runs\n\n"),
    { expect: "session/cancel" },
    { touch: "$DIR/go" },
    ask("w", "terminal/wait_for_exit", { terminalId: "$created" }),
    { expectAnswer: "w" },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
  ]);
  await using sandbox = await openSandbox();
  const args = ["--no-tools", "--cwd", agent.directory, "--agent", commandLine(agent)];
  await inTerminal(sandbox, args, async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("go\r");
    await screen.waitFor("it runs");
    await pty.write("\x03");
    await screen.waitFor("The turn was cancelled");
    const [pid = 0] = await agent.pids();
    assert.ok(await isAlive(pid));
    await assert.rejects(Deno.stat(`${agent.directory}/hit`), Deno.errors.NotFound);
    await pty.write("\x04");
    assert.equal(await pty.exited, 0);
  });
  const [answer] = await agent.answersTo("w");
  assert.deepEqual(answer?.result, { exitCode: 0, signal: null });
});
