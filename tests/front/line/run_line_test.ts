import assert from "node:assert/strict";
import { answerLine } from "../../support/answer_line.ts";
import { openPty } from "../../support/pty.ts";
import { isAlive, MAIN_COMMAND, openSandbox, runMain } from "../../support/run_main.ts";
import { openScreen } from "../../support/screen.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  eventually,
  HANDSHAKE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";

const stop = (stopReason: string): Step => ({ respond: { stopReason }, to: "session/prompt" });

async function pipe(steps: readonly Step[], stdin: string) {
  await using agent = await scriptedAgent([...HANDSHAKE, ...steps]);
  await using sandbox = await openSandbox();
  const result = await runMain(sandbox, ["--agent", commandLine(agent)], { stdin });
  const sent = (await agent.received()).filter(({ method }) => method === "session/prompt")
    .map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text);
  return { ...result, sent };
}

Deno.test("piped lines are prompts and commands, one after the other", async () => {
  const { status, stdout, sent } = await pipe(
    [PROMPT, say("one\n"), END_TURN, PROMPT, say("two"), END_TURN],
    "a\n\n/status\nb",
  );
  assert.deepEqual(sent, ["a", "b"]);
  assert.equal(status, 0);
  assert.match(stdout, /^> a\none\n[^]*\nsession: s1\n[^]*> b\ntwo\n$/);
  assert.equal(stdout.includes("\u001b"), false);
});

Deno.test("piped lines end with the status of the first turn or command that went wrong", async () => {
  const failed = await pipe(
    [PROMPT, say("x"), stop("max_tokens"), PROMPT, say("y"), END_TURN],
    "a\nb\n",
  );
  assert.equal(failed.status, 7);
  assert.deepEqual(failed.sent, ["a", "b"]);
  const left = await pipe([PROMPT, say("x"), stop("refusal")], "a\n/exit\nb\n");
  assert.deepEqual([left.status, left.sent], [1, ["a"]]);
  const mistyped = await pipe([], "/eixt\n");
  assert.equal(mistyped.status, 1);
  assert.match(mistyped.stdout, /Did you mean \/exit\?/);
});

Deno.test("piped lines that are left when the agent dies are named, and count as a failure", async () => {
  const { status, stdout, sent } = await pipe([PROMPT, say("x"), { die: "SIGKILL" }], "a\nb\nc\n");
  assert.equal(status, 1);
  assert.deepEqual(sent, ["a"]);
  assert.match(stdout, /SIGKILL[^]*this was not sent: b\n[^]*this was not sent: c\n/);
});

Deno.test("piped lines never answer a question", async () => {
  const { status, sent } = await pipe([
    PROMPT,
    askPermission(1, "c"),
    { expectAnswer: 1 },
    END_TURN,
    PROMPT,
    END_TURN,
  ], "a\n1\n");
  assert.deepEqual(sent, ["a", "1"]);
  assert.equal(status, 4);
});

Deno.test("input without any line is a usage error, and an agent that cannot start gives 3", async () => {
  const empty = await pipe([], "");
  assert.equal(empty.status, 2);
  assert.match(empty.stderr, /no prompt/);
  await using sandbox = await openSandbox();
  const dead = await runMain(sandbox, ["--agent", "sh -c 'exit 9'"], { stdin: "a\n" });
  assert.equal(dead.status, 3);
  assert.match(dead.stdout, /exit status 9/);
});

/** The line REPL in a terminal. */
async function openTerminal(agent: ScriptedAgent, ...args: readonly string[]) {
  const sandbox = await openSandbox();
  const [program = "deno", ...rest] = MAIN_COMMAND;
  const pty = await openPty({
    command: program,
    args: [...rest, "--plain", "--agent", commandLine(agent), ...args],
    cwd: sandbox.project,
    env: sandbox.env,
  });
  const screen = openScreen(pty);
  return {
    pty,
    screen,
    text: () => new TextDecoder().decode(pty.output),
    async [Symbol.asyncDispose]() {
      await pty.kill();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

Deno.test("in a terminal a question is answered by a number, read before it is typed", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    say("Let me see."),
    askPermission(1, "c1"),
    { expectAnswer: 1 },
    say("Thanks."),
    END_TURN,
  ]);
  await using terminal = await openTerminal(agent, "--color", "never");
  const { pty, screen } = terminal;
  await screen.waitFor(/^> $/m);
  await pty.write("first \\\n");
  await pty.write("second\n");
  await screen.waitFor("Type a number from 1 to 2");
  // An answer that comes too soon is not one; a wrong one is asked again.
  await answerLine(pty, "7\n", () => terminal.text().split("Type a number").length > 2);
  await pty.write("1\n");
  await screen.waitFor("Thanks.");
  await pty.write("/exit\n");
  assert.equal(await pty.exited, 0);
  const { prompt } = (await agent.received()).find(({ method }) => method === "session/prompt")
    ?.params as { prompt: { text: string }[] };
  assert.equal(prompt[0]?.text, "first \nsecond");
  assert.deepEqual((await agent.answersTo(1))[0]?.result, {
    outcome: { outcome: "selected", optionId: "y" },
  });
  // Deno itself may write before the program does.
  const text = terminal.text();
  assert.equal(text.slice(text.indexOf("> ")).includes("\u001b"), false);
});

Deno.test("in a terminal a command that the agent does not answer soon is told to wait", async () => {
  await using agent = await scriptedAgent([
    { expect: "initialize" },
    {
      respond: {
        protocolVersion: 1,
        agentCapabilities: { sessionCapabilities: { list: {} } },
      },
    },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/list" },
    { untilFile: "$DIR/go" },
    { respond: { sessions: [] } },
  ]);
  await using terminal = await openTerminal(agent, "--color", "never");
  const { pty, screen } = terminal;
  await screen.waitFor(/^> $/m);
  await pty.write("/sessions\n");
  await screen.waitFor(/^Waiting: \/sessions is not done yet\.$/m);
  await Deno.writeTextFile(`${agent.directory}/go`, "");
  await screen.waitFor(/^now 1; session: s1/m);
});

Deno.test("in a terminal Ctrl-C cancels the turn, and twice at the prompt leaves with 130", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    { expect: "session/cancel" },
    stop("cancelled"),
    PROMPT,
    say("still here"),
    END_TURN,
  ]);
  await using terminal = await openTerminal(agent);
  const { pty, screen } = terminal;
  await screen.waitFor(/^> $/m);
  await pty.write("go\n");
  await eventually(
    "the turn runs",
    async () => (await agent.received()).some(({ method }) => method === "session/prompt"),
  );
  await pty.write("\x03");
  await screen.waitFor("The turn was cancelled");
  await pty.write("again\n");
  await screen.waitFor("still here");
  await pty.write("\x03");
  await screen.waitFor("Press Ctrl-C again to leave");
  await pty.write("\x03");
  assert.equal(await pty.exited, 130);
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("in a terminal the end of input leaves with 0", async () => {
  await using agent = await scriptedAgent(HANDSHAKE);
  await using terminal = await openTerminal(agent);
  await terminal.screen.waitFor(/^> $/m);
  await terminal.pty.write("\x04");
  assert.equal(await terminal.pty.exited, 0);
});

Deno.test("in a terminal a line that is too long for it is never sent cut, and whole when it comes again", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { repeat: [PROMPT, say("taken"), END_TURN], times: 2 },
  ]);
  await using terminal = await openTerminal(agent);
  const { pty, screen } = terminal;
  const long = "0123456789é ".repeat(1_000) + "the end";
  await screen.waitFor(/^> $/m);
  await pty.write(`${long}\n`);
  await screen.waitFor(/That line was not sent/);
  await pty.write("\x03");
  await screen.waitFor(/Nothing was sent\.\n> $/);
  await pty.write(`${long}\n`);
  await eventually("it is asked for again", () => {
    return terminal.text().split("That line was not sent").length === 3;
  });
  await pty.write(`${long}\r`);
  await screen.waitFor(/^taken$/m);
  await pty.write("shown and edited as ever\n");
  await screen.waitFor(/edited as ever\n[^]*taken/);
  await pty.write("\x04");
  assert.equal(await pty.exited, 0);
  assert.match(await pty.ttyModes(), / icanon[^]* echo /);
  const sent = (await agent.received()).filter(({ method }) => method === "session/prompt")
    .map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text);
  assert.deepEqual(sent, [long, "shown and edited as ever"]);
});

Deno.test("in a terminal a change is asked about with the lines that differ, and whole on demand", async () => {
  const lines = (change: (i: number) => boolean) =>
    Array.from({ length: 900 }, (_, i) => change(i) ? `new ${i}` : `line ${i}`).join("\n");
  const content = [{
    type: "diff",
    path: "/a.txt",
    oldText: lines(() => false),
    newText: lines((i) => i === 0 || i === 500 || i > 700 && i % 2 === 0),
  }];
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    {
      send: update({
        sessionUpdate: "tool_call",
        toolCallId: "c1",
        title: "Edit",
        kind: "edit",
        content,
      }),
    },
    askPermission(1, "c1"),
    { expectAnswer: 1 },
    END_TURN,
  ]);
  await using terminal = await openTerminal(agent, "--color", "never");
  const { pty, screen } = terminal;
  await screen.waitFor(/^> $/m);
  await pty.write("edit\n");
  await screen.waitFor("Type a number from 1 to 2");
  const beginning = terminal.text();
  assert.match(beginning, /a\.txt \+101 −101\r\n[^]*501 - line 500\r\n[^]*501 \+ new 500\r\n/);
  assert.match(beginning, /… \d+ more lines: v writes all of them/);
  assert.doesNotMatch(beginning, /new 898/);
  await answerLine(pty, "v\n", () => /899 \+ new 898/.test(terminal.text()));
  await pty.write("1\n/exit\n");
  assert.equal(await pty.exited, 0);
});
