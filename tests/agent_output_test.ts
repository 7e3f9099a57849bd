/**
 * The real program and what agents may write: framing, noise, sizes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "./support/in_terminal.ts";
import { openSandbox, runMain, type RunResult } from "./support/run_main.ts";
import {
  commandLine,
  END_TURN,
  eventually,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  say,
  scriptedAgent,
  SESSION,
  type Step,
  update,
} from "./support/scripted_agent.ts";

/** Id of the prompt: the third request that the program sends. */
const PROMPT_ID = 2;

interface Run extends RunResult {
  /** What the program sent besides its own requests. */
  readonly answers: readonly unknown[];
  readonly trace: string;
}

/** Runs one prompt against a script. */
async function run(steps: readonly Step[]): Promise<Run> {
  await using agent = await scriptedAgent(steps);
  await using sandbox = await openSandbox();
  const args = ["--agent", commandLine(agent), "--trace", "trace", "-p", "go"];
  const result = await runMain(sandbox, args, { timeoutMs: 60_000 });
  const answers = (await agent.received()).filter((message) => !("method" in message));
  return { ...result, answers, trace: await Deno.readTextFile(`${sandbox.project}/trace`) };
}

/** A message as one line, without its end. */
function line(message: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}

function chunk(text: string): Readonly<Record<string, unknown>> {
  return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

function bytesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

Deno.test("banners and log lines change nothing, are answered with nothing and kept in the trace", async () => {
  const { status, stdout, stderr, answers, trace } = await run([
    { line: "[agent] adapter ready" },
    { line: "Loaded cached credentials." },
    { write: "\u001b]0;title\u0007" },
    ...HANDSHAKE,
    PROMPT,
    say("one "),
    { line: "a log line \u001b[2J in the turn" },
    say("two"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout, stderr], [0, "one two\n", ""]);
  assert.deepEqual(answers, []);
  assert.match(trace, /skipped \(not JSON\): Loaded cached credentials\./);
  assert.match(trace, /a log line ␛\[2J in the turn/);
});

Deno.test("JSON that is no message settles nothing, even with the id of an open request", async () => {
  const noise = [
    "42",
    '"warn"',
    "null",
    "[1,2]",
    `{"id":${PROMPT_ID},"level":"info","msg":"x"}`,
    `{"id":${PROMPT_ID},"error":"x","level":"error"}`,
    "{}",
  ];
  const { status, stdout, answers } = await run([
    ...HANDSHAKE,
    PROMPT,
    ...noise.map((text): Step => ({ line: text })),
    say("ok"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout, answers], [0, "ok\n", []]);
});

Deno.test("text is the same however its bytes are cut, and however many messages come at once", async () => {
  const text = "日本語🙂é";
  const { status, stdout } = await run([
    ...HANDSHAKE,
    PROMPT,
    { trickle: bytesOf(line(chunk(text)) + "\n") },
    { write: line(chunk(" a")) },
    { write: "\n" },
    { sendTogether: [chunk("b"), chunk("c"), chunk("d")] },
    END_TURN,
  ]);
  assert.deepEqual([status, stdout], [0, `${text} abcd\n`]);
});

Deno.test("halves of a character meet again; one that stays alone becomes U+FFFD", async () => {
  const { status, stdout } = await run([
    ...HANDSHAKE,
    PROMPT,
    say("hi \ud83d"),
    say("\ude00!"),
    say(" \ud83d"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout], [0, "hi 😀! \ufffd\n"]);
});

Deno.test("what is saved of a text with half a character is whole and valid", async () => {
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, say("half \ud83d"), END_TURN]);
  await using sandbox = await openSandbox();
  const lines = ["go", "/export talk.md", "/export talk.json", ""].join("\n");
  const run = await runMain(sandbox, ["--agent", commandLine(agent)], { stdin: lines });
  assert.equal(run.status, 0, run.stderr);
  for (const name of ["talk.md", "talk.json"]) {
    const bytes = await Deno.readFile(`${sandbox.project}/${name}`);
    assert.match(new TextDecoder("utf-8", { fatal: true }).decode(bytes), /half \ufffd/);
  }
});

Deno.test("lines may end with CRLF, be blank, and lack their end at the very end", async () => {
  const crlf = (message: Readonly<Record<string, unknown>>): Step => ({
    write: `\r\n${line(message)}\r\n\r\n`,
  });
  const { status, stdout } = await run([
    { expect: "initialize" },
    crlf({ id: 0, result: { protocolVersion: 1 } }),
    { expect: "session/new" },
    crlf({ id: 1, result: { sessionId: SESSION } }),
    PROMPT,
    crlf(chunk("windows")),
    { write: line({ id: PROMPT_ID, result: { stopReason: "end_turn" } }) },
    { exit: 0 },
  ]);
  assert.deepEqual([status, stdout], [0, "windows\n"]);
});

Deno.test("a byte that is no UTF-8 is shown as U+FFFD and ends nothing", async () => {
  const [before = "", after = ""] = line(chunk("a|b")).split("|");
  const { status, stdout } = await run([
    ...HANDSHAKE,
    PROMPT,
    { trickle: [...bytesOf(before), 0xff, ...bytesOf(after + "\n")] },
    say("c"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout], [0, "a\ufffdbc\n"]);
});

Deno.test("a flood on stderr blocks nobody and stays out of the answer", async () => {
  const flood: Step = { repeat: [{ stderr: "log ".repeat(10_000) + "\n" }], times: 250 };
  const { status, stdout, stderr } = await run([
    { stderr: "e".repeat(300_000) },
    ...HANDSHAKE,
    PROMPT,
    say("before "),
    flood,
    say("after"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout, stderr], [0, "before after\n", ""]);
});

/** The halves of a line that has 20 MB of text between them. */
const [BIG_HEAD = "", BIG_TAIL = ""] = line(update({
  sessionUpdate: "tool_call_update",
  toolCallId: "c",
  status: "completed",
  content: [{ type: "content", content: { type: "text", text: "|" } }],
})).split("|");

Deno.test("a message of 20 MB is taken, and the program goes on", async () => {
  const { status, stdout } = await run([
    ...HANDSHAKE,
    PROMPT,
    { write: BIG_HEAD },
    { fill: 20_000_000 },
    { write: `${BIG_TAIL}\n` },
    say("done"),
    END_TURN,
  ]);
  assert.deepEqual([status, stdout], [0, "done\n"]);
});

Deno.test("messages that are nested too deep to be walked are cut, and their requests answered", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const withDeep = (message: Readonly<Record<string, unknown>>): Step => ({
    line: line(message).replace('"DEEP"', deep),
  });
  const { status, stdout, answers } = await run([
    ...HANDSHAKE,
    PROMPT,
    say("before "),
    withDeep(update({ sessionUpdate: "tool_call", toolCallId: "c", title: "t", rawInput: "DEEP" })),
    withDeep(update({ sessionUpdate: "an_oddity", value: "DEEP" })),
    withDeep({
      id: "r",
      method: "fs/read_text_file",
      params: { sessionId: SESSION, path: "DEEP" },
    }),
    { expectAnswer: "r" },
    say("after"),
    END_TURN,
  ]);
  assert.equal(status, 0);
  assert.match(stdout, /^before\s+after\n$/);
  assert.equal(answers.length, 1);
});

Deno.test("a line without end is given up at a limit that the error names", async () => {
  const { status, stdout, stderr } = await run([
    ...HANDSHAKE,
    PROMPT,
    say("partial"),
    { repeat: [{ fill: 1_000_000 }], times: 1_000 },
  ]);
  assert.deepEqual([status, stdout], [1, "partial\n"]);
  assert.match(stderr, /a line longer than the limit of 67108864 bytes/);
});

Deno.test("Ctrl-C reaches the agent while a message of 20 MB is on its way", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    { write: BIG_HEAD },
    { fill: 10_000_000 },
    { touch: "$DIR/half" },
    { expect: "session/cancel" },
    { fill: 10_000_000 },
    { write: `${BIG_TAIL}\n` },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
    PROMPT,
    say("still here"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", commandLine(agent)], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("go\r");
    await eventually("half of it was sent", async () => {
      return await Deno.stat(`${agent.directory}/half`).then(() => true, () => false);
    });
    await pty.write("\x03");
    await screen.waitFor(/The turn was cancelled/);
    await pty.write("again\r");
    await screen.waitFor(/still here/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
});

Deno.test("updates that come with the answer to session/new count; those for others do not show", async () => {
  const commands = { availableCommands: [{ name: "plan", description: "d" }] };
  await using agent = await scriptedAgent([
    ...INITIALIZE,
    { expect: "session/new" },
    {
      respondAfter: [
        update({ sessionUpdate: "available_commands_update", ...commands }),
        update({
          sessionUpdate: "agent_message_chunk",
          content: { type: "text", text: "not for you" },
        }, "s9"),
      ],
      respond: { sessionId: SESSION },
    },
    PROMPT,
    say("planned"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  const args = ["--agent", commandLine(agent)];
  const { status, stdout, stderr } = await runMain(sandbox, args, { stdin: "/plan a journey\n" });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /planned/);
  assert.doesNotMatch(stdout + stderr, /not for you/);
  const [prompt] = (await agent.received()).filter(({ method }) => method === "session/prompt");
  assert.match(JSON.stringify(prompt), /"text":"\/plan a journey"/);
});

for (
  const [what, args, enter] of [["the full terminal", [], "\r"], [
    "lines",
    ["--plain"],
    "\n",
  ]] as const
) {
  Deno.test(`in ${what} words that every object knows are words like others`, async () => {
    const word = "constructor";
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      PROMPT,
      {
        send: update({
          sessionUpdate: "tool_call",
          toolCallId: word,
          title: "a call",
          kind: word,
          status: word,
          content: [{ type: "terminal", terminalId: word }],
        }),
      },
      {
        send: update({
          sessionUpdate: "plan",
          entries: [{ content: "a step", status: word, priority: word }],
        }),
      },
      { send: update({ sessionUpdate: word }) },
      {
        send: {
          id: 1,
          method: "session/request_permission",
          params: {
            sessionId: SESSION,
            toolCall: { toolCallId: word },
            options: [
              { optionId: word, name: "Yes", kind: word },
              { optionId: "n", name: "No", kind: "reject_once" },
            ],
          },
        },
      },
      { expectAnswer: 1 },
      { respond: { stopReason: word }, to: "session/prompt" },
    ]);
    await using sandbox = await openSandbox();
    const start = ["--agent", commandLine(agent), ...args];
    await inTerminal(sandbox, start, async ({ pty, screen, answer }) => {
      await screen.waitFor(/idle|^> /m);
      await pty.write(`go${enter}`);
      await answer(/unknown kind: constructor/, args.length === 0 ? "1" : "1\n");
      await screen.waitFor(/unknown reason: constructor/);
      assert.match(screen.all(), /\[constructor\] a step/);
      assert.doesNotMatch(screen.all(), /native code/);
      await pty.write(`/exit${enter}`);
      assert.equal(await pty.exited, 0);
    });
    assert.deepEqual((await agent.answersTo(1)).map(({ result }) => result), [
      { outcome: { outcome: "selected", optionId: word } },
    ]);
  });
}
