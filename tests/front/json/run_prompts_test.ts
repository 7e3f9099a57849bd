import assert from "node:assert/strict";
import {
  agentCommand,
  isAlive,
  MAIN_COMMAND,
  openSandbox,
  runMain,
  until,
} from "../../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { loadSchema } from "./schemas.ts";

/** Runs one prompt against a script. */
async function run(steps: readonly Step[], ...args: readonly string[]) {
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, ...steps]);
  await using sandbox = await openSandbox();
  return await runMain(sandbox, ["--agent", commandLine(agent), "-p", "go", ...args]);
}

const stop = (stopReason: string): Step => ({ respond: { stopReason }, to: "session/prompt" });

Deno.test("-p writes the agent's text alone to stdout and ends it with a newline", async () => {
  const { status, stdout, stderr } = await run([
    { line: "noise" },
    say("hi \ud83d"),
    say("\ude00!"),
    {
      send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "read" }),
    },
    { send: update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" }) },
    say("done"),
    END_TURN,
  ]);
  assert.equal(stdout, "hi 😀!\n\ndone\n");
  assert.match(stderr, /Tool: read Look: started\nTool: read Look: done/);
  assert.equal(status, 0);
});

Deno.test("-p --quiet writes nothing to stderr but errors", async () => {
  const { status, stdout, stderr } = await run(
    [
      say("\u001b[31mx\u0007\r\n"),
      { send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look" }) },
      stop("refusal"),
    ],
    "--quiet",
  );
  assert.equal(stdout, "\u001b[31mx\u0007\r\n");
  assert.equal(stderr, "Error: The agent refused to go on\n");
  assert.equal(status, 1);
});

Deno.test("-p exits by the way in which the turn ended, with the text on stdout and a reason", async () => {
  const ends: readonly (readonly [Step, number, RegExp])[] = [
    [stop("refusal"), 1, /refused/],
    [stop("max_tokens"), 7, /token limit/],
    [stop("max_turn_requests"), 8, /model requests/],
    [stop("cancelled"), 9, /cancelled/],
    [stop("brand_new"), 10, /brand_new/],
    [
      { fail: { code: -32603, message: "Internal error", data: { details: "no quota" } } },
      1,
      /no quota/,
    ],
    [{ die: "SIGKILL" }, 1, /SIGKILL/],
  ];
  for (const [end, expected, reason] of ends) {
    const { status, stdout, stderr } = await run([say("partial"), end]);
    assert.equal(status, expected, stderr);
    assert.equal(stdout, "partial\n");
    assert.match(stderr, reason);
  }
});

Deno.test("-p exits 4 after a refusal that nobody could be asked about", async () => {
  const { status, stdout, stderr } = await run([
    askPermission(1, "c"),
    { expectAnswer: 1 },
    say("fine"),
    END_TURN,
  ]);
  assert.equal(status, 4);
  assert.equal(stdout, "fine\n");
  assert.match(stderr, /Refused "c".*--permissions/);
});

Deno.test("-p --permissions deny says that it is what refuses, and exits 4", async () => {
  const args = ["--output", "json", "--permissions", "deny"];
  const { status, stdout, stderr } = await run(
    [askPermission(1, "c"), { expectAnswer: 1 }, END_TURN],
    ...args,
  );
  const { permissions: [{ by, reason }], error } = JSON.parse(stdout);
  assert.deepEqual([by, status, error.code], ["rule", 4, "permission_denied"]);
  assert.match(reason, /deny everything/);
  assert.doesNotMatch(stderr + stdout, /nobody/);
  assert.match(stderr, /Refused "c": permissions are set to deny; --permissions allow permits it/);
});

Deno.test("-p exits 3 when the agent cannot be started, and prints no answer", async () => {
  await using sandbox = await openSandbox();
  const { status, stdout, stderr } = await runMain(sandbox, [
    "--agent",
    "sh -c 'echo no key >&2; exit 127'",
    "-p",
    "go",
  ]);
  assert.equal(status, 3);
  assert.equal(stdout, "");
  assert.match(stderr, /exit status 127[^]*no key/);
});

Deno.test("-p --output json gives one document with everything in it", async () => {
  const { status, stdout } = await run(
    [
      {
        send: update({
          sessionUpdate: "agent_thought_chunk",
          content: { type: "text", text: "hm" },
        }),
      },
      say("one"),
      {
        send: update({
          sessionUpdate: "plan",
          entries: [{ content: "a", priority: "low", status: "completed" }],
        }),
      },
      {
        send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "edit" }),
      },
      askPermission(1, "c"),
      { expectAnswer: 1 },
      { send: update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" }) },
      say("two"),
      { send: update({ sessionUpdate: "usage_update", used: 5, size: 10 }) },
      END_TURN,
    ],
    "--output",
    "json",
  );
  const document = JSON.parse(stdout);
  (await loadSchema("json.schema.json")).assertExact(document);
  assert.equal(typeof document.toolCalls[0].durationMs, "number");
  delete document.toolCalls[0].durationMs;
  assert.deepEqual(document, {
    sessionId: "s1",
    stopReason: "end_turn",
    text: "one\n\ntwo",
    thoughts: ["hm"],
    toolCalls: [{ id: "c", title: "Look", kind: "edit", status: "failed" }],
    plan: [{ content: "a", priority: "low", status: "completed" }],
    usage: { used: 5, size: 10 },
    permissions: [{
      toolCallId: "c",
      title: null,
      optionId: "n",
      by: "nobody",
      reason: "nobody could be asked",
    }],
    turns: [{ stopReason: "end_turn", text: "one\n\ntwo" }],
    error: {
      code: "permission_denied",
      message: 'Refused "Look": nobody can be asked',
      hint: "--permissions allow permits it.",
    },
  });
  assert.equal(status, 4);
});

Deno.test("-p --output json tells a failed start and a failed turn in the document", async () => {
  await using sandbox = await openSandbox();
  const start = await runMain(sandbox, [
    "--agent",
    "sh -c 'exit 9'",
    "-p",
    "go",
    "--output",
    "json",
  ]);
  assert.equal(JSON.parse(start.stdout).error.code, "agent_exited");
  assert.equal(start.status, 3);
  const turn = await run([say("x"), { fail: { code: -32603, message: "no" } }], "--output", "json");
  const { text, stopReason, error } = JSON.parse(turn.stdout);
  assert.deepEqual([text, stopReason, error.code, error.rpc.code], [
    "x",
    null,
    "turn_failed",
    -32603,
  ]);
});

Deno.test("-p leaves the replayed history out of the answer", async () => {
  await using agent = await scriptedAgent([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
    { expect: "session/load" },
    {
      send: update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "q1" } }),
    },
    say("a1"),
    { respond: null },
    PROMPT,
    {
      send: update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "q2" } }),
    },
    say("a2"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  const { stdout, status } = await runMain(sandbox, [
    "--agent",
    commandLine(agent),
    "--resume",
    "s1",
    "-p",
    "q2",
  ]);
  assert.equal(stdout, "a2\n");
  assert.equal(status, 0);
});

Deno.test("several -p run in one session and stop at the first that fails", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    say("1"),
    END_TURN,
    PROMPT,
    say("2"),
    stop("max_tokens"),
  ]);
  await using sandbox = await openSandbox();
  const args = ["--agent", commandLine(agent), "-p", "a", "-p", "b", "-p", "c"];
  const { status, stdout } = await runMain(sandbox, args);
  assert.equal(stdout, "1\n\n2\n");
  assert.equal(status, 7);
  const sent = (await agent.received()).filter(({ method }) => method === "session/prompt");
  assert.equal(sent.length, 2);
});

Deno.test("--timeout ends the run with what there was and status 5", async () => {
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, say("partial"), { hang: true }]);
  await using sandbox = await openSandbox();
  const args = ["--agent", commandLine(agent), "-p", "go", "--timeout", "1"];
  const { status, stdout, stderr } = await runMain(sandbox, args);
  assert.equal(status, 5);
  assert.equal(stdout, "partial\n");
  assert.match(stderr, /timed out after 1/);
  const cancelled = (await agent.received()).some(({ method }) => method === "session/cancel");
  assert.equal(cancelled, true);
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

/** Starts a run whose stdout the test reads itself. */
async function spawnRun(agent: ScriptedAgent, env: Readonly<Record<string, string>>, cwd: string) {
  const [program = "deno", ...rest] = MAIN_COMMAND;
  await Promise.resolve();
  return new Deno.Command(program, {
    args: [...rest, "--agent", commandLine(agent), "-p", "go"],
    cwd,
    clearEnv: true,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

Deno.test("a reader that goes away cancels the turn, ends the agent and gives 141", async () => {
  const flood: Step = { repeat: [say("0123456789".repeat(100))], times: 2_000 };
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, flood, {
    expect: "session/cancel",
  }]);
  await using sandbox = await openSandbox();
  const child = await spawnRun(agent, sandbox.env, sandbox.project);
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  assert.equal((await child.status).code, 141);
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("a slow reader gets every byte of the answer", async () => {
  const piece = "0123456789".repeat(100);
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    { repeat: [say(piece)], times: 1_000 },
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  const child = await spawnRun(agent, sandbox.env, sandbox.project);
  // The turn is over long before anything is read: what does not fit the pipe has to wait.
  await until(async () => {
    const sent = await agent.received();
    return sent.some(({ method }) => method === "session/prompt");
  }, "the prompt is sent");
  let length = 0;
  for await (const bytes of child.stdout) length += bytes.length;
  assert.equal(length, piece.length * 1_000 + 1);
  assert.equal((await child.status).code, 0);
});

Deno.test("SIGTERM ends the run with what there was and 143", async () => {
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, say("partial"), { hang: true }]);
  await using sandbox = await openSandbox();
  const child = await spawnRun(agent, sandbox.env, sandbox.project);
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader.read();
  child.kill("SIGTERM");
  let text = first.value ?? "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  assert.equal(text, "partial\n");
  assert.equal((await child.status).code, 143);
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("-p answers with the embedded agent, in this process and as one of its own", async () => {
  await using sandbox = await openSandbox();
  for (const agent of ["demo", agentCommand()]) {
    const { status, stdout, stderr } = await runMain(sandbox, ["--agent", agent, "-p", "echo hi"]);
    assert.equal(stdout, "hi\n", stderr);
    assert.equal(status, 0);
  }
});
