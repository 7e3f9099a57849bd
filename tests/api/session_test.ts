import assert from "node:assert/strict";
import { type Client, openClient } from "../../src/api/mod.ts";
import type { Entry, SessionEvent } from "../../src/model/session.ts";
import { SessionStore } from "../../src/model/session_store.ts";
import {
  askPermission,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../support/scripted_agent.ts";

const PLAN = {
  sessionUpdate: "available_commands_update",
  availableCommands: [{ name: "plan", description: "d" }],
};

async function withClient(
  steps: readonly Step[],
  test: (client: Client, directory: string, received: () => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  await using agent = await scriptedAgent(steps);
  const client = await openClient({ spec: agent.spec, cwd: agent.directory });
  try {
    await test(client, agent.directory, () => agent.received());
  } finally {
    await client.close();
  }
}

function kinds(entries: Iterable<Entry>): string[] {
  return [...entries].map((entry) => `${entry.history ? "history " : ""}${entry.kind}`);
}

Deno.test("updates that come before the session is answered are its own, others are dropped", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/new" },
    { respondAfter: [update(PLAN), update(PLAN, "s9")], respond: { sessionId: "s1" } },
  ], async (client, cwd) => {
    const events: SessionEvent[] = [];
    const store = new SessionStore(cwd);
    store.subscribe(({ event }) => events.push(event));
    const session = await client.newSession({ cwd, store });
    assert.equal(session.store, store);
    assert.deepEqual(session.store.state.commands.map(({ name }) => name), ["plan"]);
    assert.deepEqual(events.map(({ type }) => type), ["session_opened", "update_received"]);
  });
});

Deno.test("what comes before the session is answered is held in bounds, for each and for all", async () => {
  const flood = (sessionId: string, count: number) => ({
    repeat: [{ send: update({ sessionUpdate: "plan", entries: [] }, sessionId) }],
    times: count,
  });
  await withClient([
    ...INITIALIZE,
    { expect: "session/new" },
    flood("s1", 1_500),
    ...Array.from({ length: 40 }, (_, i) => flood(`foreign ${i}`, 3)),
    { respond: { sessionId: "s1" } },
    { expect: "session/prompt" },
    say("ours"),
    END_TURN,
  ], async (client, cwd) => {
    let updates = 0;
    const store = new SessionStore(cwd);
    store.subscribe(({ event }) => updates += event.type === "update_received" ? 1 : 0);
    const session = await client.newSession({ cwd, store });
    assert.equal(updates, 1_000);
    assert.equal((await session.prompt([{ type: "text", text: "go" }])).ok, true);
    assert.equal(updates, 1_001);
  });
});

Deno.test("updates for a session that is not ours change nothing", async () => {
  await withClient([
    ...HANDSHAKE,
    { expect: "session/prompt" },
    say("not ours", "s9"),
    say("ours"),
    END_TURN,
  ], async (client, cwd) => {
    const session = await client.newSession({ cwd });
    await session.prompt([{ type: "text", text: "x" }]);
    assert.deepEqual(kinds(session.store.state.entries), ["user", "agent"]);
  });
});

Deno.test("a prompt to a session that has ended is no turn, and its outcome says so", async () => {
  await withClient([...HANDSHAKE, { exit: 0 }], async (client, cwd) => {
    const session = await client.newSession({ cwd });
    await client.connection.closed;
    const outcome = await session.prompt([{ type: "text", text: "too late" }]);
    assert.equal(outcome.ok === false && outcome.unsent, true);
    assert.equal(session.store.state.turns, 0);
    assert.ok(!kinds(session.store.state.entries).includes("user"));
  });
});

Deno.test("every raw update is told, whoever it is for", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { expect: "session/prompt" },
    say("theirs", "s9"),
    say("ours"),
    END_TURN,
  ]);
  const told: unknown[] = [];
  const client = await openClient({
    spec: agent.spec,
    cwd: agent.directory,
    onUpdate: (params) => told.push((params as { sessionId: string }).sessionId),
  });
  const session = await client.newSession({ cwd: agent.directory });
  await session.prompt([]);
  await client.close();
  assert.deepEqual(told, ["s9", "s1"]);
});

Deno.test("what a session is opened with goes out as it was given", async () => {
  await withClient(HANDSHAKE, async (client, cwd, received) => {
    const mcpServers = [{
      name: "db",
      command: "db-mcp",
      args: [],
      env: [{ name: "A", value: "b" }],
    }];
    await client.newSession({
      cwd,
      mcpServers,
      additionalDirectories: ["/tmp"],
      meta: { "example.org/x": 1 },
    });
    const [, opening] = await received();
    assert.deepEqual((opening as { params: unknown }).params, {
      cwd,
      mcpServers,
      additionalDirectories: ["/tmp"],
      _meta: { "example.org/x": 1 },
    });
  });
});

Deno.test("a session without extras sends an empty server list and nothing else", async () => {
  await withClient(HANDSHAKE, async (client, cwd, received) => {
    await client.newSession({ cwd });
    const [, opening] = await received();
    assert.deepEqual((opening as { params: unknown }).params, { cwd, mcpServers: [] });
  });
});

const chunk = (sessionUpdate: string) => (text: string, sessionId?: string) =>
  update({ sessionUpdate, content: { type: "text", text } }, sessionId);
const user = chunk("user_message_chunk");
const agent = chunk("agent_message_chunk");

Deno.test("a loaded session shows its history as history, before its answer and right after it", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/load" },
    { send: user("q1") },
    say("a1"),
    { sendTogether: [{ id: 1, result: null }, user("q2")] },
    say("a2"),
    { expect: "session/prompt" },
    say("a3"),
    END_TURN,
  ], async (client, cwd) => {
    const session = await client.loadSession("s1", { cwd });
    assert.equal(session.store.state.replaying, false);
    const history = kinds(session.store.state.entries);
    assert.deepEqual(history, [
      "history user",
      "history agent",
      "history user",
      "history agent",
    ]);
    await session.prompt([{ type: "text", text: "q3" }]);
    assert.deepEqual(kinds(session.store.state.entries).slice(history.length), ["user", "agent"]);
  });
});

Deno.test("a history that begins a while after the answer is history, and the first prompt waits for it", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/load" },
    { respond: null },
    { trickle: Array<number>(150).fill(10) },
    { sendTogether: [user("q1"), agent("a1")] },
    { expect: "session/prompt" },
    say("a2"),
    END_TURN,
  ], async (client, cwd) => {
    const session = await client.loadSession("s1", { cwd });
    await session.prompt([{ type: "text", text: "q2" }]);
    const { entries } = session.store.state;
    assert.deepEqual(kinds(entries), ["history user", "history agent", "user", "agent"]);
  });
});

Deno.test("a history that comes in the first turn is no answer, and is not shown", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/load" },
    { sendTogether: [user("q1"), agent("a1"), { id: 1, result: null }] },
    { expect: "session/prompt" },
    { sendTogether: [user("q2"), agent("a2"), user("the prompt"), agent("the answer")] },
    END_TURN,
  ], async (client, cwd) => {
    const session = await client.loadSession("s1", { cwd });
    await session.prompt([{ type: "text", text: "the prompt" }]);
    const { entries } = session.store.state;
    const expected = ["history user", "history agent", "user", "notice", "agent"];
    assert.deepEqual(kinds(entries), expected);
    assert.match(JSON.stringify([...entries].at(-1)), /the answer/);
  });
});

Deno.test("a session that goes on from another one shows what was said there as history", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/fork" },
    { respondAfter: [user("q1", "s2"), agent("a1", "s2")], respond: { sessionId: "s2" } },
    { expect: "session/prompt" },
    say("a2", "s2"),
    END_TURN,
  ], async (client, cwd) => {
    const session = await client.forkSession("s1", { cwd });
    await session.prompt([{ type: "text", text: "q2" }]);
    const { entries } = session.store.state;
    assert.deepEqual(kinds(entries), ["history user", "history agent", "user", "agent"]);
  });
});

Deno.test("a permission question during the replay is refused, not asked", async () => {
  await using scripted = await scriptedAgent([
    ...INITIALIZE,
    { expect: "session/load" },
    askPermission("p", "call"),
    { expectAnswer: "p" },
    { respond: {} },
  ]);
  const client = await openClient({
    spec: scripted.spec,
    cwd: scripted.directory,
    permissionPolicy: () => {
      throw new assert.AssertionError({ message: "the policy was asked" });
    },
  });
  await client.loadSession("s1", { cwd: scripted.directory });
  await client.close();
  assert.deepEqual((await scripted.answersTo("p")).map(({ result }) => result), [
    { outcome: { outcome: "selected", optionId: "n" } },
  ]);
});

Deno.test("a session that does not exist is told as such, and nothing is opened instead", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/load" },
    {
      fail: { code: -32603, message: "Internal error", data: { details: "Session not found: s0" } },
    },
    { expect: "session/resume" },
    { fail: { code: -32602, message: "Invalid params" } },
  ], async (client, cwd, received) => {
    await assert.rejects(client.loadSession("s0", { cwd }), {
      code: "session_not_found",
      message: /Session not found: s0/,
    });
    await assert.rejects(client.resumeSession("s0", { cwd }), { code: "session_not_found" });
    assert.equal(client.sessions.size, 0);
    assert.equal((await received()).length, 3);
  });
});

Deno.test("a setting is changed when the agent has confirmed it, not before", async () => {
  const select = (currentValue: string) => ({
    id: "llm",
    name: "Model",
    category: "model",
    type: "select",
    currentValue,
    options: [{ value: "a", name: "A" }, { value: "b", name: "B" }],
  });
  await withClient([
    ...INITIALIZE,
    { expect: "session/new" },
    { respond: { sessionId: "s1", configOptions: [select("a")] } },
    { expect: "session/set_config_option" },
    { fail: { code: -32603, message: "no" } },
    { expect: "session/set_config_option" },
    { respond: { configOptions: [select("b")] } },
    { expect: "session/set_config_option" },
    { respond: null },
  ], async (client, cwd, received) => {
    const session = await client.newSession({ cwd });
    await assert.rejects(session.setModel("b"), { code: "request_failed" });
    assert.equal(session.store.state.models?.current, "a");
    await session.setModel("b");
    assert.equal(session.store.state.models?.current, "b");
    // An agent that confirms without the list is believed.
    await session.setConfigOption("llm", "a");
    assert.equal(session.store.state.models?.current, "a");
    assert.deepEqual(session.store.state.configOptions[0]?.options.map(({ id }) => id), ["a", "b"]);
    const last = (await received()).at(-1) as { params: unknown };
    assert.deepEqual(last.params, { sessionId: "s1", configId: "llm", value: "a" });
  });
});

Deno.test("a boolean option is sent with its type", async () => {
  await withClient([
    ...HANDSHAKE,
    { expect: "session/set_config_option" },
    { respond: {} },
  ], async (client, cwd, received) => {
    const session = await client.newSession({ cwd });
    await session.setConfigOption("fast", true);
    const last = (await received()).at(-1) as { params: unknown };
    assert.deepEqual(last.params, {
      sessionId: "s1",
      configId: "fast",
      type: "boolean",
      value: true,
    });
  });
});

Deno.test("modes and models of the older form are set by their own requests", async () => {
  await withClient([
    ...INITIALIZE,
    { expect: "session/new" },
    {
      respond: {
        sessionId: "s1",
        modes: { currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "yolo" }] },
        models: { currentModelId: "m1", availableModels: [{ modelId: "m1" }, { modelId: "m2" }] },
      },
    },
    { expect: "session/set_mode" },
    { respond: {} },
    { expect: "session/set_model" },
    { respond: null },
    { expect: "session/set_model" },
    { fail: { code: -32601, message: "Method not found" } },
  ], async (client, cwd) => {
    const session = await client.newSession({ cwd });
    await session.setMode("yolo");
    await session.setModel("m2");
    await assert.rejects(session.setModel("m1"), { code: "not_supported" });
    assert.equal(session.store.state.modes?.current, "yolo");
    assert.equal(session.store.state.models?.current, "m2");
  });
});

Deno.test("closing a session tells an agent that offers it, and only such a one", async () => {
  for (const offers of [true, false]) {
    await withClient([
      { expect: "initialize" },
      {
        respond: {
          protocolVersion: 1,
          agentCapabilities: offers ? { sessionCapabilities: { close: {} } } : {},
        },
      },
      { expect: "session/new" },
      { respond: { sessionId: "s1" } },
      { expect: "session/close" },
      { respond: null },
    ], async (client, cwd, received) => {
      const session = await client.newSession({ cwd });
      await Promise.all([session.close(), session.close()]);
      assert.equal(client.sessions.size, 0);
      const methods = (await received()).map((message) => (message as { method: string }).method);
      assert.deepEqual(methods.slice(2), offers ? ["session/close"] : []);
      assert.equal((await session.prompt([])).ok, false);
    });
  }
});
