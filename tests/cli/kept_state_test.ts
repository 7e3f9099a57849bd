/**
 * What is there before the program starts: sessions of the agent, locks, configuration files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { agentCommand, openSandbox, runMain, type Sandbox } from "../support/run_main.ts";
import {
  askPermission,
  commandLine,
  END_TURN,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../support/scripted_agent.ts";

const user = (text: string): Step => ({
  send: update({ sessionUpdate: "user_message_chunk", content: { type: "text", text } }),
});

/** Loads a session with one turn, then answers `q2`, which it echoes. */
const LOADED: readonly Step[] = [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
  { expect: "session/load" },
  user("q1"),
  say("a1"),
  {
    send: update({
      sessionUpdate: "tool_call",
      toolCallId: "c1",
      title: "Look around",
      status: "completed",
    }),
  },
  askPermission("during", "c1"),
  { expectAnswer: "during" },
  { respond: null, to: "session/load" },
  { expect: "session/prompt" },
  user("q2"),
  say("a2"),
  END_TURN,
];

Deno.test("a loaded session's history is printed once and marked, the echoed prompt once", async () => {
  await using agent = await scriptedAgent(LOADED);
  await using sandbox = await openSandbox();
  const outputs: string[] = [];
  for (const _run of [1, 2]) {
    const args = ["--agent", commandLine(agent), "--resume", "s1", "--plain"];
    const run = await runMain(sandbox, args, { stdin: "q2\n" });
    assert.equal(run.status, 0, run.stderr);
    outputs.push(run.stdout);
  }
  for (const output of outputs) {
    assert.match(
      output,
      /Earlier in this session:\n> q1\na1\n[^]*Look around[^]*End of what was before\.\n[^]*> q2\na2\n/,
    );
    for (const text of ["q1", "a1", "q2", "a2", "Look around"]) {
      assert.equal(output.split(text).length, 2, `${text} in ${output}`);
    }
  }
  const answers = await agent.answersTo("during");
  assert.deepEqual(answers.map(({ result }) => result), [
    { outcome: { outcome: "selected", optionId: "n" } },
    { outcome: { outcome: "selected", optionId: "n" } },
  ]);
});

Deno.test("a loaded session's history is no part of a transcript's new turns, nor of -p", async () => {
  await using agent = await scriptedAgent(LOADED);
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["--agent", commandLine(agent), "--resume", "s1", "-p", "q2"]);
  assert.equal(run.stdout, "a2\n");
  const lines = ["q2", "/export talk.json", "/export talk.md"].map((line) => `${line}\n`).join("");
  await runMain(sandbox, ["--agent", commandLine(agent), "--resume", "s1", "--plain"], {
    stdin: lines,
  });
  const { entries } = JSON.parse(await Deno.readTextFile(`${sandbox.project}/talk.json`));
  const seen = entries
    .filter(({ kind }: { kind: string }) => kind === "user" || kind === "agent")
    .map(({ kind, history, turn }: Record<string, unknown>) => [kind, history, turn]);
  assert.deepEqual(seen, [
    ["user", true, null],
    ["agent", true, null],
    ["user", false, 1],
    ["agent", false, 1],
  ]);
  const markdown = await Deno.readTextFile(`${sandbox.project}/talk.md`);
  assert.equal(markdown.split("q2").length, 2);
});

async function stateFile({ home }: Sandbox, name: string): Promise<string> {
  const directory = `${home}/.local/state/mm-repl`;
  await Deno.mkdir(directory, { recursive: true });
  return `${directory}/${name}`;
}

Deno.test("locks that dead programs left hold nothing up, whatever is in them", async () => {
  for (const left of ["1", `${Deno.pid}`, `{"pid": ${Deno.pid}}`, "", "\u0000garbage"]) {
    await using sandbox = await openSandbox();
    const lock = await stateFile(sandbox, "agents.json.lock");
    await Deno.writeTextFile(lock, left);
    await Deno.utime(lock, 1, 1);
    const run = await runMain(sandbox, ["--agent", agentCommand(), "-p", "echo hi"]);
    assert.deepEqual([run.stdout, run.stderr, run.status], ["hi\n", "", 0]);
    assert.match(await Deno.readTextFile(await stateFile(sandbox, "agents.json")), /sessionId/);
  }
});

Deno.test("a lock that another program really holds costs a memory, not the run", async () => {
  await using sandbox = await openSandbox();
  const path = await stateFile(sandbox, "agents.json.lock");
  using lock = await Deno.open(path, { write: true, create: true });
  await lock.lock(true);
  const run = await runMain(sandbox, ["--agent", agentCommand(), "-p", "echo hi"]);
  assert.deepEqual([run.stdout, run.status], ["hi\n", 0]);
});

Deno.test("a configuration with a byte order mark, comments and commas at the end is read", async () => {
  await using sandbox = await openSandbox({
    ".mm-repl.jsonc":
      '\ufeff{\r\n  // which model\r\n  "model": "demo-calm", /* slowly */\r\n  "thoughts": "full", // the last\r\n}\r\n',
  });
  const args = ["--agent", agentCommand(), "--output", "stream-json", "-p", "echo hi"];
  const run = await runMain(sandbox, args);
  assert.equal(run.status, 0, run.stderr);
  const events = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.match(JSON.stringify(events), /"currentValue":"demo-calm"/);
});

Deno.test("a broken configuration ends the run before the agent starts, with the place", async () => {
  const broken = '{\n  "agent": "demo",\n\n\n\n  "agents": {\n    "a": { "command": "x" \n';
  for (
    const [text, message] of [
      [broken, /config\.jsonc:\d+:\d+: /],
      ['{ "permissions": "all" }', /config\.jsonc:1:18: permissions must be one of/],
      ['{ "mcpServers": [] }', /mcpServers must be an object, not a list/],
    ] as const
  ) {
    await using sandbox = await openSandbox();
    await Deno.mkdir(`${sandbox.home}/.config/mm-repl`, { recursive: true });
    await Deno.writeTextFile(`${sandbox.home}/.config/mm-repl/config.jsonc`, text);
    const run = await runMain(sandbox, ["--agent", "sh -c 'touch started'", "-p", "x"]);
    assert.equal(run.status, 2);
    assert.match(run.stderr, message);
    await assert.rejects(Deno.stat(`${sandbox.project}/started`), Deno.errors.NotFound);
  }
  await using sandbox = await openSandbox();
  await Deno.mkdir(`${sandbox.home}/.config/mm-repl/config.jsonc`, { recursive: true });
  const run = await runMain(sandbox, ["--agent", "demo", "-p", "x"]);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /config\.jsonc: .*directory/);
});

Deno.test("--continue passes over remembered sessions that the agent has no more, and forgets them", async () => {
  const loading: readonly Step[] = [
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
  ];
  const data = { details: "No previous sessions found for this project." };
  const gone: readonly Step[] = [
    { expect: "session/load" },
    { fail: { code: -32603, message: "Internal error", data } },
  ];
  const fresh = (sessionId: string): readonly Step[] => [
    ...loading,
    { expect: "session/new" },
    { respond: { sessionId } },
    { expect: "session/prompt" },
    END_TURN,
  ];
  await using agent = await scriptedAgent(fresh("s1"), {
    laterRuns: [fresh("s2"), [...loading, ...gone, ...gone], loading],
  });
  await using sandbox = await openSandbox();
  const run = (...args: readonly string[]) =>
    runMain(sandbox, ["--agent", commandLine(agent), "-p", "go", ...args]);
  for (const _session of ["s1", "s2"]) assert.equal((await run()).status, 0);
  for (const _time of ["with both", "with none"]) {
    const { status, stderr } = await run("--continue");
    assert.equal(status, 1);
    assert.match(stderr, /There is no earlier session in .*project\n.*Leave --continue out/);
    assert.doesNotMatch(stderr, /-32603/);
  }
  const loads = (await agent.received()).filter(({ method }) => method === "session/load")
    .map(({ params }) => (params as { sessionId: string }).sessionId);
  assert.deepEqual(loads, ["s2", "s1"]);
});

Deno.test("a session in which nothing was said is not remembered as one to go back to", async () => {
  const opening: readonly Step[] = [
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
  ];
  await using agent = await scriptedAgent(opening);
  await using sandbox = await openSandbox();
  const start = ["--agent", commandLine(agent)];
  assert.equal((await runMain(sandbox, start, { stdin: "/status\n" })).status, 0);
  const { status } = await runMain(sandbox, [...start, "--continue", "-p", "go"]);
  assert.equal(status, 1);
  assert.ok(!(await agent.received()).some(({ method }) => method === "session/load"));
});
