/** What can go wrong before there is a session: each its own error, and nothing left running. */

import assert from "node:assert/strict";
import { openClient } from "../../src/api/mod.ts";
import { MmError } from "../../src/base/errors.ts";
import type { ProcessAgentSpec } from "../../src/model/agent_spec.ts";
import {
  eventually,
  HANDSHAKE,
  INITIALIZE,
  isAlive,
  scriptedAgent,
  type Step,
} from "../support/scripted_agent.ts";
import { fakeToolbox } from "./toolboxes.ts";

function command(program: string, ...args: string[]): ProcessAgentSpec {
  return { kind: "process", command: program, args };
}

/** Opens a client and a session, which is expected to fail, and gives the error. */
async function failureOf(
  spec: ProcessAgentSpec,
  options: { readonly cwd?: string; readonly timeoutMs?: number } = {},
): Promise<MmError> {
  const { cwd = "/", timeoutMs = 20_000 } = options;
  try {
    const client = await openClient({ spec, cwd, timeoutMs });
    try {
      await client.newSession({ cwd });
    } finally {
      await client.close();
    }
  } catch (error) {
    assert.ok(error instanceof MmError, String(error));
    assert.equal(error.exit, error.code === "auth" ? 6 : 3);
    return error;
  }
  throw new assert.AssertionError({ message: "it could be opened" });
}

async function failureOfScript(
  steps: readonly Step[],
  timeoutMs?: number,
): Promise<MmError> {
  await using agent = await scriptedAgent(steps);
  const error = await failureOf(agent.spec, { cwd: agent.directory, timeoutMs });
  for (const pid of await agent.pids()) {
    await eventually(`the agent ${pid} is gone`, async () => !await isAlive(pid), 3_000);
  }
  return error;
}

Deno.test("a missing command is named, with a hint", async () => {
  const error = await failureOf(command("no-such-agent", "-acp"));
  assert.equal(error.code, "agent_not_found");
  assert.match(error.message, /no-such-agent/);
  assert.match(error.hint ?? "", /PATH/);
});

Deno.test("a missing directory is not taken for a missing command", async () => {
  const error = await failureOf(command("cat"), { cwd: "/no/such/dir" });
  assert.equal(error.code, "agent_directory");
  assert.match(error.message, /\/no\/such\/dir/);
});

Deno.test("a session in a missing or relative directory is refused before the agent hears of it", async () => {
  await using agent = await scriptedAgent(INITIALIZE);
  const client = await openClient({ spec: agent.spec, cwd: agent.directory });
  try {
    await assert.rejects(client.newSession({ cwd: `${agent.directory}/missing` }), {
      code: "agent_directory",
    });
    await assert.rejects(client.newSession({ cwd: "relative" }), { code: "usage" });
  } finally {
    await client.close();
  }
  assert.deepEqual((await agent.received()).map((m) => m.method), ["initialize"]);
});

Deno.test("an agent that ends at once is told with its status and stderr, before the timeout", async () => {
  const error = await failureOf(command("sh", "-c", 'echo "node: not found" >&2; exit 127'));
  assert.equal(error.code, "agent_exited");
  assert.match(error.message, /127/);
  assert.equal(error.stderr?.trim(), "node: not found");
});

Deno.test("an agent that is killed at once is told with the signal", async () => {
  const error = await failureOf(command("sh", "-c", "kill -9 $$"));
  assert.equal(error.code, "agent_exited");
  assert.match(error.message, /SIGKILL/);
});

Deno.test("an agent that is silent is given up, ended, and its output quoted", async () => {
  const error = await failureOfScript([
    { line: "Please visit https://example.org to sign in" },
    { stderr: "waiting for the browser\n" },
    { hang: true },
  ], 1_500);
  assert.equal(error.code, "agent_silent");
  assert.equal(error.phase, "initialize");
  assert.match(error.hint ?? "", /Please visit/);
  assert.match(error.stderr ?? "", /waiting for the browser/);
});

Deno.test("an agent that closes its output while a session is opened is ended", async () => {
  const error = await failureOfScript([
    ...INITIALIZE,
    { expect: "session/new" },
    { closeStdout: true },
    { hang: true },
  ]);
  assert.equal(error.code, "agent_exited");
  assert.equal(error.phase, "session/new");
  assert.match(error.message, /closed its output/);
});

Deno.test("an agent that is silent while a session is opened is given up", async () => {
  const error = await failureOfScript([...INITIALIZE, { expect: "session/new" }], 1_500);
  assert.equal(error.code, "agent_silent");
  assert.equal(error.phase, "session/new");
});

Deno.test("another protocol version ends the agent before a session is opened", async () => {
  for (const protocolVersion of [2, 0, "2024-11-05", undefined]) {
    await using agent = await scriptedAgent([
      { expect: "initialize" },
      { respond: { protocolVersion } },
      { hang: true },
    ]);
    const error = await failureOf(agent.spec, { cwd: agent.directory });
    assert.equal(error.code, "protocol_version");
    assert.match(error.message, /version 1$/);
    assert.deepEqual((await agent.received()).map((m) => m.method), ["initialize"]);
    for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
  }
});

Deno.test("an agent that wants a sign-in says so", async () => {
  const error = await failureOfScript([
    ...INITIALIZE,
    { expect: "session/new" },
    { fail: { code: -32000, message: "Authentication required" } },
  ]);
  assert.equal(error.code, "auth");
  assert.equal(error.phase, "session/new");
  assert.deepEqual(error.rpc, { code: -32000, message: "Authentication required" });
});

Deno.test("banners and logs around the handshake do no harm, and are not answered", async () => {
  await using agent = await scriptedAgent([
    { line: "[agent] adapter ready" },
    { line: "\u001b]0;title\u0007" },
    { line: '{"level":"info"}' },
    { line: "" },
    ...HANDSHAKE,
  ]);
  const client = await openClient({ spec: agent.spec, cwd: agent.directory });
  const session = await client.newSession({ cwd: agent.directory });
  assert.equal(session.id, "s1");
  await client.close();
  assert.deepEqual((await agent.received()).map((m) => m.method), ["initialize", "session/new"]);
});

Deno.test("the setup is interrupted by its signal, and the agent ended", async () => {
  await using agent = await scriptedAgent([{ expect: "initialize" }, { hang: true }]);
  const aborter = new AbortController();
  const opening = openClient({
    spec: agent.spec,
    cwd: agent.directory,
    signal: aborter.signal,
  });
  const failed = assert.rejects(opening, { code: "interrupted" });
  await eventually("the agent runs", async () => (await agent.received()).length > 0);
  aborter.abort();
  await failed;
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
});

Deno.test("what we can do is told: files, terminals, options, notices, and elicitation only with a handler", async () => {
  for (const asks of [false, true]) {
    await using agent = await scriptedAgent(INITIALIZE);
    const client = await openClient({
      spec: agent.spec,
      cwd: agent.directory,
      fs: "write",
      clientCapsMeta: { "example.org/x": 1 },
      ...(asks ? { onElicitation: () => ({ action: "decline" }) } : {}),
    });
    await client.close();
    const [initialize] = await agent.received();
    const { clientCapabilities } = initialize?.params as { clientCapabilities: unknown };
    assert.deepEqual(clientCapabilities, {
      fs: { readTextFile: false, writeTextFile: true },
      terminal: true,
      session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
      ...(asks ? { elicitation: { form: {}, url: {} } } : {}),
      _meta: { "example.org/x": 1 },
    });
  }
});

Deno.test("a sign-in that takes its time is given up with the signal, and the agent ended", async () => {
  await using agent = await scriptedAgent([
    ...INITIALIZE,
    { expect: "authenticate" },
    { touch: "$DIR/asked" },
    { hang: true },
  ]);
  const abort = new AbortController();
  const opening = openClient({
    spec: agent.spec,
    cwd: agent.directory,
    signIn: { token: "t" },
    signal: abort.signal,
  });
  const failed = assert.rejects(opening, { code: "interrupted" });
  await eventually("the agent is asked to authenticate", () => exists(`${agent.directory}/asked`));
  abort.abort();
  await failed;
  for (const pid of await agent.pids()) {
    await eventually("the agent has ended", async () => !await isAlive(pid));
  }
});

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("an agent that ends right after its answer to session/new opens no session", async () => {
  // Where tools are offered it is waited for a moment for what it says about them.
  await using agent = await scriptedAgent([...HANDSHAKE, { exit: 7 }]);
  const cwd = agent.directory;
  const client = await openClient({
    spec: agent.spec,
    cwd,
    openToolbox: () => Promise.resolve(fakeToolbox(cwd)),
  });
  try {
    await assert.rejects(client.newSession({ cwd }), { code: "agent_exited" });
  } finally {
    await client.close();
  }
});
