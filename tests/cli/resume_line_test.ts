/**
 * The line that says how to go on with the session that has ended.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../support/in_terminal.ts";
import { openSandbox } from "../support/run_main.ts";
import { END_TURN, say, scriptedAgent, type Step } from "../support/scripted_agent.ts";

const initialize = (agentCapabilities: unknown): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities } },
];

const TURN: Step[] = [
  { expect: "session/new" },
  { respond: { sessionId: "s1" } },
  { expect: "session/prompt" },
  say("first words"),
  END_TURN,
];

for (
  const [what, flags, capabilities, resumes] of [
    ["the full terminal", [], { loadSession: true }, true],
    ["lines", ["--plain"], { sessionCapabilities: { resume: {} } }, true],
    ["an agent that keeps no sessions", [], {}, false],
  ] as const
) {
  Deno.test(`leaving ${what} ${resumes ? "says" : "does not say"} how to resume the session`, async () => {
    await using sandbox = await openSandbox();
    await using agent = await scriptedAgent([...initialize(capabilities), ...TURN]);
    const { command, args } = agent.spec;
    const words = [command, ...args].map((word) => `'${word}'`).join(" ");
    await inTerminal(sandbox, ["--agent", words, ...flags], async ({ pty, screen }) => {
      await screen.waitFor(flags.length === 0 ? /idle/ : /^> /m);
      await pty.write("go\r");
      await screen.waitFor(/^first words$/m);
      await screen.waitFor(flags.length === 0 ? /idle/ : /first words\n+> /);
      await pty.write("/exit\r");
      assert.equal(await pty.exited, 0);
      const line = /resume with: mm-repl --resume s1 --agent /;
      if (resumes) await screen.waitFor(line);
      else assert.doesNotMatch(screen.all(), /resume with/);
    });
  });
}

Deno.test("leaving a directory that is gone by then ends as usual, and the line names it", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([...initialize({ loadSession: true }), ...TURN]);
  const { command, args } = agent.spec;
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  await inTerminal(sandbox, ["--agent", words, "--plain"], async ({ pty, screen }) => {
    await screen.waitFor(/^> /m);
    await pty.write("go\r");
    await screen.waitFor(/first words\n+> /);
    await Deno.remove(sandbox.project, { recursive: true });
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    await screen.waitFor(/resume with: mm-repl --resume s1 [^]*--cwd/);
  });
});

Deno.test("leaving a session in which nothing was said says nothing about it", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...initialize({ loadSession: true }),
    ...TURN.slice(0, 2),
  ]);
  const { command, args } = agent.spec;
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  await inTerminal(sandbox, ["--agent", words], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    assert.doesNotMatch(screen.all(), /resume with/);
  });
});

Deno.test("leaving a session of the demo promises no way back: it ends with the program", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo"], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("echo first words\r");
    await screen.waitFor(/^first words$/m);
    await screen.waitFor(/idle/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    assert.doesNotMatch(screen.all(), /resume with/);
  });
});

Deno.test("leaving a session that the agent does not know any more promises no way back", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent(
    [...initialize({ loadSession: true }), ...TURN, { die: "SIGKILL" }],
    {
      laterRuns: [[
        ...initialize({ loadSession: true }),
        { expect: "session/load" },
        { fail: { code: -32002, message: "Resource not found", data: { sessionId: "s1" } } },
      ]],
    },
  );
  const { command, args } = agent.spec;
  const words = [command, ...args].map((word) => `'${word}'`).join(" ");
  await inTerminal(sandbox, ["--agent", words], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("go\r");
    await screen.waitFor(/restart starts the agent again/);
    await pty.write("/restart\r");
    await screen.waitFor(/Cannot go on with session s1: the agent does not know it any more/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    assert.doesNotMatch(screen.all(), /resume with/);
  });
});

Deno.test("leaving names what was queued and not sent, and the next start has it with Up", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo"], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("slow\r");
    await pty.write("and then this\r");
    await screen.waitFor(/1 queued/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
    await screen.waitFor(
      /A queued prompt was not sent; Up gives it back at the next start here:\n\s*and then this/,
    );
  });
  await inTerminal(sandbox, ["--agent", "demo"], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("\x1b[A\x1b[A");
    await screen.waitFor(/and then this/);
    await pty.write("\x03");
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
});
