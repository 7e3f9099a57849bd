/**
 * The real program and how agents begin, refuse and end.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "./support/in_terminal.ts";
import { isAlive, openSandbox, runMain, type RunResult, until } from "./support/run_main.ts";
import {
  ask,
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  SESSION,
  type Step,
} from "./support/scripted_agent.ts";

/** Runs one prompt against an agent; no step of its start may take longer than two seconds. */
async function run(agent: ScriptedAgent, ...args: readonly string[]): Promise<RunResult> {
  await using sandbox = await openSandbox({ ".mm-repl.jsonc": '{ "startTimeout": 2 }' });
  return await runMain(sandbox, ["--agent", commandLine(agent), "-p", "go", ...args]);
}

/** Names of the requests that came so far. */
async function methods(agent: ScriptedAgent): Promise<unknown[]> {
  return (await agent.received()).map(({ method }) => method);
}

async function assertGone(agent: ScriptedAgent): Promise<void> {
  for (const pid of await agent.pids()) {
    await until(async () => !(await isAlive(pid)), `the agent ${pid} has ended`);
  }
}

Deno.test("main -p gives a silent agent up, quotes what it printed instead, and ends it", async () => {
  await using agent = await scriptedAgent([
    { line: "usage: agent [--acp]" },
    { stderr: "no such option\n" },
    { hang: true },
  ]);
  const { status, stdout, stderr } = await run(agent);
  assert.deepEqual([status, stdout], [3, ""]);
  assert.match(stderr, /no answer to initialize within 2 s/);
  assert.match(stderr, /It printed: usage: agent \[--acp\]/);
  assert.match(stderr, /no such option/);
  await assertGone(agent);
});

Deno.test("main -p ends an agent that closes its output while a session is opened", async () => {
  await using agent = await scriptedAgent([
    ...INITIALIZE,
    { expect: "session/new" },
    { closeStdout: true },
    { ignore: "SIGTERM" },
    { hang: true },
  ]);
  const { status, stdout, stderr } = await run(agent);
  assert.deepEqual([status, stdout], [3, ""]);
  assert.match(stderr, /closed its output before it answered session\/new/);
  await assertGone(agent);
});

Deno.test("main -p refuses every protocol version but its own, and opens no session", async () => {
  for (const protocolVersion of [2, 0, "2024-11-05", undefined]) {
    await using agent = await scriptedAgent([
      { expect: "initialize" },
      { respond: { protocolVersion } },
    ]);
    const { status, stdout, stderr } = await run(agent);
    assert.deepEqual([status, stdout], [3, ""], stderr);
    assert.match(stderr, /it (speaks|names no) version .* and mm-repl speaks version 1/);
    if (protocolVersion !== undefined) assert.ok(stderr.includes(JSON.stringify(protocolVersion)));
    assert.deepEqual(await methods(agent), ["initialize"]);
    await assertGone(agent);
  }
});

Deno.test("main -p takes unknown capabilities for nothing and absent ones for no", async () => {
  const capabilities = { warp: { speed: 9 }, loadSession: "yes", sessionCapabilities: null };
  await using agent = await scriptedAgent([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: capabilities, odd: true } },
    { expect: "session/new" },
    { respond: { sessionId: SESSION } },
    PROMPT,
    say("fine"),
    END_TURN,
  ]);
  assert.equal((await run(agent)).stdout, "fine\n");
  const resumed = await run(agent, "--resume", "s0");
  assert.equal(resumed.status, 1);
  assert.match(resumed.stderr, /s0/);
  assert.equal((await methods(agent)).filter((method) => method === "session/new").length, 1);
  assert.ok(!(await methods(agent)).includes("session/load"));
});

Deno.test("main -p keeps the text of an agent that dies in its turn, and tells how it died", async () => {
  const ends: readonly (readonly [Step, RegExp])[] = [
    [{ die: "SIGKILL" }, /SIGKILL/],
    [{ exit: 7 }, /exit status 7/],
    [{ closeStdout: true }, /closed its output/],
  ];
  for (const [end, how] of ends) {
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      PROMPT,
      say("partial"),
      askPermission(1, "a"),
      { expectAnswer: 1 },
      { stderr: "out of memory\n" },
      end,
    ]);
    const { status, stdout, stderr } = await run(agent);
    assert.deepEqual([status, stdout], [1, "partial\n"]);
    assert.match(stderr, how);
    assert.match(stderr, /out of memory/);
    await assertGone(agent);
  }
});

Deno.test("an agent that dies in a terminal takes its question with it, and Enter starts another", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    say("partial answer"),
    ask("run", "terminal/create", { command: "echo $$ > $DIR/command; exec sleep 300" }),
    { expectAnswer: "run" },
    askPermission(1, "a"),
    { untilFile: "$DIR/asked" },
    { stderr: "out of memory\n" },
    { die: "SIGKILL" },
  ], { laterRuns: [[...HANDSHAKE, PROMPT, say("at your service again"), END_TURN]] });
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", commandLine(agent)], async ({ pty, screen }) => {
    await screen.waitFor(/idle/);
    await pty.write("go\r");
    await screen.waitFor(/partial answer/);
    await screen.waitFor(/1.*Yes/);
    await Deno.writeTextFile(`${agent.directory}/asked`, "");
    await screen.waitFor(/SIGKILL/);
    await screen.waitFor((s) => !/1.*Yes[^]*2.*No/.test(s.text()));
    assert.match(screen.all(), /partial answer/);
    assert.equal(screen.all().match(/out of memory/g)?.length, 1);
    assert.match(screen.all(), /the agent is gone/);
    await pty.write("once more\r");
    await screen.waitFor(/agent gone ·/);
    await pty.write("\r");
    await screen.waitFor(/at your service again/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
  const prompts = (await methods(agent)).filter((method) => method === "session/prompt");
  assert.equal(prompts.length, 2);
  await assertGone(agent);
  const command = Number(await Deno.readTextFile(`${agent.directory}/command`));
  await until(async () => !(await isAlive(command)), "the agent's command has ended");
});

Deno.test("main -p says why a session cannot be resumed, in bounded space, and opens no other", async () => {
  const errors: readonly (readonly [number, string, unknown, RegExp])[] = [
    [-32603, "Internal error", { details: "Session not found: s0" }, /Session not found: s0/],
    [-32002, "Resource not found", { uri: "s0" }, /s0.*-32002/],
    [-32603, "Internal error", "the index \u001b[2J is broken", /the index .*is broken.*-32603/],
    [-32603, "Internal error", { rows: "x".repeat(5_000_000) }, /-32603/],
  ];
  for (const [code, message, data, expected] of errors) {
    await using agent = await scriptedAgent([
      { expect: "initialize" },
      { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
      { expect: "session/load" },
      { fail: { code, message, data } },
    ]);
    const { status, stdout, stderr } = await run(agent, "--resume", "s0");
    assert.deepEqual([status, stdout], [1, ""], stderr);
    assert.match(stderr, expected);
    assert.ok(stderr.length < 5_000, `${stderr.length} characters`);
    assert.ok(!stderr.includes("\u001b"));
    assert.deepEqual(await methods(agent), ["initialize", "session/load"]);
  }
});

Deno.test("main -p shows the cause of a failed prompt, and sends it once", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    { fail: { code: -32603, message: "Internal error", data: { details: "quota used up" } } },
  ]);
  const { status, stderr } = await run(agent);
  assert.equal(status, 1);
  assert.match(stderr, /Internal error: quota used up \(code -32603\)/);
  const prompts = (await methods(agent)).filter((method) => method === "session/prompt");
  assert.equal(prompts.length, 1);
});

Deno.test("main -p answers every request once, whatever its id, and no notification", async () => {
  const ids = ["x-1", 0, "7", 2, "", -1];
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    ask(ids[0], "_vendor.dev/ping", {}),
    ask(ids[1], "fs/read_text_file", { path: "$DIR/.script.json" }),
    ask(ids[2], "no/such", {}),
    { send: { id: ids[3], method: "fs/read_text_file" } },
    ask(ids[4], "terminal/create", { command: 5 }),
    ask(ids[5], "session/request_permission", { toolCall: null, options: null }),
    { send: { method: "_vendor.dev/changed", params: { a: 1 } } },
    { send: { method: "vendor/changed" } },
    ...ids.map((id): Step => ({ expectAnswer: id })),
    say("all answered"),
    END_TURN,
  ]);
  const { status, stdout, stderr } = await run(agent, "--cwd", agent.directory);
  assert.deepEqual([status, stdout], [0, "all answered\n"], stderr);
  const answers = (await agent.received()).filter((message) => !("method" in message));
  const codeOf = (id: unknown) => {
    const [answer, ...more] = answers.filter((message) => message.id === id);
    assert.deepEqual(more, []);
    return (answer?.error as { readonly code: number } | undefined)?.code;
  };
  assert.deepEqual(ids.map(codeOf), [-32601, undefined, -32601, -32602, -32602, undefined]);
  assert.equal(answers.length, ids.length);
});

for (
  const [what, args, enter] of [["the full terminal", [], "\r"], [
    "lines",
    ["--plain"],
    "\n",
  ]] as const
) {
  Deno.test(`in ${what} Ctrl-C gets away from an agent that does not end a cancelled turn`, async () => {
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      PROMPT,
      say("thinking of something else\n\n"),
      { ignore: "SIGTERM" },
      { hang: true },
    ]);
    await using sandbox = await openSandbox();
    const start = ["--agent", commandLine(agent), ...args];
    await inTerminal(sandbox, start, async ({ pty, screen }) => {
      await screen.waitFor(/idle|^> /m);
      await pty.write(`go${enter}`);
      if (args.length === 0) await screen.waitFor(/something else/);
      else await until(async () => (await methods(agent)).includes("session/prompt"), "it runs");
      await pty.write("\x03");
      await screen.waitFor(/cancelling/i);
      await pty.write("\x03");
      await screen.waitFor(/not ended the turn yet/);
      await screen.waitFor(/again.* leaves?/);
      await pty.write("\x03");
      assert.equal(await pty.exited, 130);
    });
    await assertGone(agent);
  });
}
