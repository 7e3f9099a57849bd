/**
 * Going on with earlier sessions without a person: `sessions`, `--continue` and `--resume`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asObject } from "../../../src/base/guards.ts";
import { openSandbox, runMain } from "../../support/run_main.ts";
import {
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
} from "../../support/scripted_agent.ts";

const LISTS: Step[] = [
  { expect: "initialize" },
  {
    respond: {
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, resume: {} } },
    },
  },
];

/** Answers `session/list` with two sessions of the project and one of another directory. */
function list(project: string): Step[] {
  return [{ expect: "session/list" }, {
    respond: {
      sessions: [
        { sessionId: "old", cwd: project, updatedAt: "2026-01-01T00:00:00Z", title: "First" },
        {
          sessionId: "new",
          cwd: project,
          updatedAt: "2026-03-01T00:00:00Z",
          title: "Second\u001b[31m",
        },
        { sessionId: "far", cwd: "/elsewhere", updatedAt: "2026-04-01T00:00:00Z" },
      ],
    },
  }];
}

/** The methods and the session ids of what the agent got. */
async function received(agent: ScriptedAgent): Promise<readonly string[]> {
  return (await agent.received()).map(({ method, params }) => {
    const { sessionId } = asObject(params);
    return sessionId === undefined ? String(method) : `${method} ${sessionId}`;
  });
}

Deno.test("sessions lists those of the directory, newest first, for people and for programs", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([...LISTS, ...list(sandbox.project)]);
  const run = (...args: readonly string[]) =>
    runMain(sandbox, ["sessions", "--agent", commandLine(agent), ...args]);
  const { stdout, status } = await run();
  assert.equal(status, 0);
  const lines = stdout.trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => line.split(/\s+/)[0]), ["new", "old"]);
  assert.match(lines[0] ?? "", /Second/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stdout, /\x1b/);
  const json = (await run("--json", "--all")).stdout.trimEnd().split("\n");
  assert.deepEqual(json.map((line) => JSON.parse(line).sessionId), ["far", "new", "old"]);
});

Deno.test("--continue -p goes on with the newest session of the directory", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...LISTS,
    ...list(sandbox.project),
    { expect: "session/resume" },
    { respond: {} },
    PROMPT,
    say("still here", "new"),
    END_TURN,
  ]);
  const args = ["--agent", commandLine(agent), "--continue", "-p", "go on"];
  const { stdout, status, stderr } = await runMain(sandbox, args);
  assert.deepEqual([stdout, status], ["still here\n", 0], stderr);
  assert.deepEqual((await received(agent)).slice(1), [
    "session/list",
    "session/resume new",
    "session/prompt new",
  ]);
});

Deno.test("--continue -p knows the last session of an agent that lists none", async () => {
  await using sandbox = await openSandbox();
  const loads: Step[] = [
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
  ];
  await using agent = await scriptedAgent(
    [...loads, { expect: "session/new" }, { respond: { sessionId: "s1" } }, PROMPT, END_TURN],
    {
      laterRuns: [[
        ...loads,
        { expect: "session/load" },
        say("what was said before"),
        { respond: {} },
        PROMPT,
        say("the new answer"),
        END_TURN,
      ]],
    },
  );
  const start = ["--agent", commandLine(agent)];
  assert.equal((await runMain(sandbox, [...start, "-p", "first"])).status, 0);
  const again = await runMain(sandbox, [...start, "--continue", "-p", "second"]);
  assert.deepEqual([again.stdout, again.status], ["the new answer\n", 0], again.stderr);
  const sent = await received(agent);
  assert.ok(sent.includes("session/load s1"), String(sent));
});

Deno.test("--continue -p without an earlier session starts none", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent(HANDSHAKE);
  const run = await runMain(sandbox, ["--agent", commandLine(agent), "--continue", "-p", "x"]);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /no earlier session/);
  assert.deepEqual(await received(agent), ["initialize"]);
});

Deno.test("--resume -p goes on with the session that is named, and with no other", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([
    ...LISTS,
    { expect: "session/resume" },
    { respond: {} },
    PROMPT,
    say("resumed", "far"),
    END_TURN,
  ]);
  const args = ["--agent", commandLine(agent), "--resume", "far", "-p", "go on"];
  const { stdout, status } = await runMain(sandbox, args);
  assert.deepEqual([stdout, status], ["resumed\n", 0]);
  assert.deepEqual((await received(agent)).slice(1), ["session/resume far", "session/prompt far"]);
});

Deno.test("--resume -p with an agent that cannot do that fails and opens nothing", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent(HANDSHAKE);
  const run = await runMain(sandbox, ["--agent", commandLine(agent), "--resume", "s1", "-p", "x"]);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /Cannot open session s1/);
  assert.deepEqual(await received(agent), ["initialize"]);
});
