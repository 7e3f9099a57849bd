import assert from "node:assert/strict";
import { type AcpClient, connect, type ConnectOptions, MmError } from "../../src/api/mod.ts";
import { asObject } from "../../src/base/guards.ts";
import {
  askPermission,
  END_TURN,
  eventually,
  HANDSHAKE,
  INITIALIZE,
  isAlive,
  say,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
  update,
} from "../support/scripted_agent.ts";

const NEW: Step = { expect: "session/new" };

interface Stage extends AsyncDisposable {
  readonly agent: ScriptedAgent;
  readonly client: AcpClient;
  /** Params of the messages with this method that the agent got. */
  params(method: string): Promise<unknown[]>;
}

async function stage(
  steps: readonly Step[],
  options: ConnectOptions = {},
): Promise<Stage> {
  const agent = await scriptedAgent(steps);
  const client = await connect(agent.spec, { cwd: agent.directory, ...options });
  return {
    agent,
    client,
    params: async (method) =>
      (await agent.received()).filter((message) => message.method === method)
        .map(({ params }) => params),
    async [Symbol.asyncDispose]() {
      await client.close();
      await agent[Symbol.asyncDispose]();
    },
  };
}

/** The error of a connection that fails; checks that nothing of the agent is left. */
async function failure(steps: readonly Step[], options: ConnectOptions = {}): Promise<MmError> {
  await using agent = await scriptedAgent(steps);
  const error = await connect(agent.spec, { cwd: agent.directory, ...options }).then(
    () => assert.fail("it connected"),
    (error) => error,
  );
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);
  assert.ok(error instanceof MmError, String(error));
  return error;
}

Deno.test("connect() takes a command line, its words, or a specification", async () => {
  await using agent = await scriptedAgent(HANDSHAKE);
  const { command, args } = agent.spec;
  const line = [command, ...args].map((word) => `'${word}'`).join(" ");
  for (const named of [line, [command, ...args], agent.spec]) {
    await using client = await connect(named, { cwd: agent.directory });
    assert.equal(client.sessionId, "s1");
    assert.equal(client.initializeResult.protocolVersion, 1);
  }
  for (const nothing of ["", "  ", []]) {
    await assert.rejects(connect(nothing), { code: "usage" });
  }
});

Deno.test("connect() opens the session in our own directory unless it is given another", async () => {
  await using at = await stage(HANDSHAKE, { cwd: undefined });
  assert.deepEqual(await at.params("session/new"), [{
    cwd: await Deno.realPath("."),
    mcpServers: [],
  }]);
  await assert.rejects(connect(at.agent.spec, { cwd: "tests" }), { code: "usage" });
  await assert.rejects(connect(at.agent.spec, { cwd: `${at.agent.directory}/missing` }), {
    code: "agent_directory",
  });
});

Deno.test("connect() sends servers and metadata as they are, and no key that is unset", async () => {
  const mcpServers = [{ name: "b", odd: [1, null] }, { name: "a" }, 7];
  const meta = { "x/y": { deep: [true] } };
  await using at = await stage(HANDSHAKE, {
    mcpServers,
    sessionMeta: meta,
    clientCapsMeta: meta,
  });
  const [opened] = await at.params("session/new");
  assert.deepEqual(opened, { cwd: at.agent.directory, mcpServers, _meta: meta });
  const [started] = await at.params("initialize");
  assert.deepEqual(asObject(asObject(started).clientCapabilities)._meta, meta);

  await using bare = await stage(HANDSHAKE);
  const [plain] = await bare.params("initialize");
  assert.equal("_meta" in asObject(asObject(plain).clientCapabilities), false);
});

Deno.test("connect() adds to the environment of the agent", async () => {
  await using agent = await scriptedAgent(HANDSHAKE);
  const { command, args } = agent.spec;
  const script = 'echo "$GREETING" >&2; exec "$0" "$@"';
  await using client = await connect(["sh", "-c", script, command, ...args], {
    cwd: agent.directory,
    env: { GREETING: "good day" },
  });
  await eventually("the word on stderr", () => client.stderr().includes("good day"));
});

Deno.test("connect() sets the mode and then the model, the newer way first", async () => {
  await using at = await stage([
    ...HANDSHAKE,
    { expect: "session/set_mode" },
    { respond: {} },
    { expect: "session/set_config_option" },
    { respond: { configOptions: [] } },
  ], { mode: "plan", model: "big" });
  const sent = (await at.agent.received()).map(({ method }) => method);
  assert.deepEqual(sent.slice(2), ["session/set_mode", "session/set_config_option"]);
  assert.deepEqual(await at.params("session/set_config_option"), [
    { sessionId: "s1", configId: "model", value: "big" },
  ]);
});

Deno.test("connect() names the modes and models that there are when another is wanted", async () => {
  for (
    const [what, choice] of [["model", { model: "nope" }], ["mode", { mode: "nope" }]] as const
  ) {
    await assert.rejects(connect({ kind: "demo" }, choice), (error) => {
      assert.ok(error instanceof MmError);
      assert.equal(error.code, "not_supported");
      assert.equal(error.message, `Cannot choose ${what} nope: the agent does not offer it`);
      assert.match(error.hint ?? "", what === "model" ? /demo-swift, demo-calm/ : /default, plan/);
      return true;
    });
  }
});

Deno.test("connect() falls back to the older way to set the model, and fails when both fail", async () => {
  const refused: Step = { fail: { code: -32601, message: "Method not found" } };
  await using at = await stage([
    ...HANDSHAKE,
    { expect: "session/set_config_option" },
    refused,
    { expect: "session/set_model" },
    { respond: {} },
  ], { model: "big" });
  assert.deepEqual(await at.params("session/set_model"), [{ sessionId: "s1", modelId: "big" }]);

  const error = await failure([
    ...HANDSHAKE,
    { expect: "session/set_config_option" },
    refused,
    { expect: "session/set_model" },
    { stderr: "no big model\n" },
    { fail: { code: -32602, message: "unknown model" } },
  ], { model: "big" });
  assert.equal(error.phase, "session/set_model");
  assert.equal(error.rpc?.code, -32602);
  assert.match(error.message, /big.*unknown model/);
  assert.match(error.stderr ?? "", /no big model/);
});

Deno.test("connect() fails with the phase, the code and the agent's stderr", async () => {
  const cases: readonly (readonly [readonly Step[], string, string])[] = [
    [[{ expect: "initialize" }, { stderr: "why\n" }, { exit: 3 }], "initialize", "agent_exited"],
    [
      [{ expect: "initialize" }, { stderr: "why\n" }, { fail: { code: -32603, message: "x" } }],
      "initialize",
      "handshake",
    ],
    [[...INITIALIZE, NEW, { stderr: "why\n" }, { exit: 1 }], "session/new", "agent_exited"],
    [
      [...INITIALIZE, NEW, { stderr: "why\n" }, { fail: { code: -32000, message: "sign in" } }],
      "session/new",
      "auth",
    ],
    [[...INITIALIZE, NEW, { stderr: "why\n" }, { hang: true }], "session/new", "agent_silent"],
    [
      [
        ...HANDSHAKE,
        { expect: "session/set_mode" },
        { stderr: "why\n" },
        { fail: { code: -32602, message: "x" } },
      ],
      "session/set_mode",
      "request_failed",
    ],
  ];
  for (const [steps, phase, code] of cases) {
    const error = await failure(steps, { mode: "plan", timeout: 2_000 });
    assert.deepEqual([error.phase, error.code], [phase, code]);
    assert.match(error.stderr ?? "", /why/);
  }
});

Deno.test("connect() says when the command does not exist", async () => {
  await assert.rejects(connect("no-such-agent --acp"), { code: "agent_not_found" });
});

Deno.test("aborting the signal ends the setup, and later the client", async () => {
  const abort = new AbortController();
  await using agent = await scriptedAgent([...INITIALIZE, NEW, { touch: "$DIR/asked" }, {
    hang: true,
  }]);
  const connecting = connect(agent.spec, { cwd: agent.directory, signal: abort.signal });
  void eventually(
    "session/new",
    () => Deno.stat(`${agent.directory}/asked`).then(Boolean, () => false),
  )
    .then(() => abort.abort());
  await assert.rejects(connecting, { code: "interrupted" });
  for (const pid of await agent.pids()) assert.equal(await isAlive(pid), false);

  const later = new AbortController();
  await using at = await stage(HANDSHAKE, { signal: later.signal });
  later.abort();
  await at.client.client.closed;
  const [pid = 0] = await at.agent.pids();
  await eventually("the end of the agent", async () => !await isAlive(pid));
});

Deno.test("onPermission decides; what it does not decide is rejected", async () => {
  const asked = [1, 2, 3, 4, 5].flatMap((id): Step[] => [askPermission(id, "c"), {
    expectAnswer: id,
  }]);
  const answers = ["y", undefined, null, "made up"];
  const seen: unknown[] = [];
  await using at = await stage([...HANDSHAKE, { expect: "session/prompt" }, ...asked, END_TURN], {
    onPermission(params) {
      seen.push(asObject(params.toolCall).toolCallId);
      if (seen.length === 5) throw new Error("no idea");
      return answers[seen.length - 1];
    },
  });
  await at.client.prompt("go");
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(async (id) => {
    const [answer] = await at.agent.answersTo(id);
    return asObject(asObject(answer?.result).outcome);
  }));
  assert.deepEqual(outcomes.map(({ outcome, optionId }) => optionId ?? outcome), [
    "y",
    "n",
    "cancelled",
    "n",
    "n",
  ]);
  assert.deepEqual(seen, ["c", "c", "c", "c", "c"]);
});

Deno.test("permission requests are rejected without onPermission, and when it takes too long", async () => {
  for (
    const options of [{}, {
      onPermission: () => new Promise<string>(() => {}),
      permissionTimeout: 20,
    }]
  ) {
    await using at = await stage([
      ...HANDSHAKE,
      { expect: "session/prompt" },
      askPermission(1, "c"),
      { expectAnswer: 1 },
      END_TURN,
    ], options);
    await at.client.prompt("go");
    const [answer] = await at.agent.answersTo(1);
    assert.deepEqual(answer?.result, { outcome: { outcome: "selected", optionId: "n" } });
  }
});

Deno.test("onUpdate sees every raw update, in a turn or not", async () => {
  const odd = update({ sessionUpdate: "brand_new", x: 1, _meta: { a: 1 } });
  const params: unknown[] = [];
  await using at = await stage([
    ...HANDSHAKE,
    { send: odd },
    { expect: "session/prompt" },
    say("hi"),
    END_TURN,
    { send: odd },
  ], { onUpdate: (value) => params.push(value) });
  await at.client.prompt("go");
  await eventually("the last update", () => params.length === 3);
  assert.deepEqual(params, [
    odd.params,
    {
      sessionId: "s1",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } },
    },
    odd.params,
  ]);
});
