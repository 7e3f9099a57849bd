import assert from "node:assert/strict";
import { openClient } from "../../src/api/mod.ts";
import type { ClientOptions } from "../../src/api/contract.ts";
import type { ToolEntry } from "../../src/model/session.ts";
import {
  END_TURN,
  eventually,
  isAlive,
  scriptedAgent,
  type ScriptedAgentOptions,
  type Step,
  update,
} from "../support/scripted_agent.ts";
import { type FakeToolbox, fakeToolbox, WHERE } from "./toolboxes.ts";

const INITIALIZE: Step[] = [{ expect: "initialize" }, { respond: { protocolVersion: 1 } }];

const WANTS_LIST =
  '[acp] client tools: "org.mini-me/tools" is not a list of tools; a client that ' +
  "answers _org.mini-me/tools/list needs acp.clientTools.discovery: request\n";

const TAKEN = "[acp] client tools (meta): client_where\n";

/** Opens a session and asks for its tools meanwhile, like mini-me does. */
function openWithList(sessionId: string, cwd = "$DIR"): Step[] {
  return [
    { expect: "session/new" },
    {
      send: {
        id: `list ${sessionId}`,
        method: "_org.mini-me/tools/list",
        params: { sessionId, cwd },
      },
    },
    { expectAnswer: `list ${sessionId}` },
    { respond: { sessionId } },
  ];
}

function callTool(id: string, sessionId: unknown, method = WHERE): Step {
  return {
    send: { id, method, params: { x: 1, _meta: { "org.mini-me/sessionId": sessionId } } },
  };
}

async function stage(
  steps: readonly Step[],
  options: Partial<ClientOptions> = {},
  agentOptions: ScriptedAgentOptions = {},
) {
  const agent = await scriptedAgent(steps, agentOptions);
  const toolboxes: FakeToolbox[] = [];
  const client = await openClient({
    spec: agent.spec,
    cwd: agent.directory,
    openToolbox: (cwd) => {
      const toolbox = fakeToolbox(cwd);
      toolboxes.push(toolbox);
      return Promise.resolve(toolbox);
    },
    ...options,
  });
  return {
    agent,
    client,
    toolboxes,
    async answer(id: string) {
      const answers = await agent.answersTo(id);
      assert.equal(answers.length, 1, `answers to ${id}`);
      return answers[0] as { result?: unknown; error?: { code: number; message: string } };
    },
    /** What each start of the agent was offered. */
    async offered() {
      const received = await agent.received();
      return received.filter(({ method }) => method === "initialize").map(({ params }) => {
        const { clientCapabilities } = params as {
          clientCapabilities: { _meta?: Record<string, unknown> };
        };
        return clientCapabilities._meta?.["org.mini-me/tools"];
      });
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await agent[Symbol.asyncDispose]();
    },
  };
}

Deno.test("the list is answered while the session is still being opened", async () => {
  await using at = await stage([...INITIALIZE, ...openWithList("s1")]);
  const session = await at.client.newSession({ cwd: at.agent.directory });
  assert.deepEqual(await at.offered(), [true]);
  assert.deepEqual((await at.answer("list s1")).result, {
    tools: [{ name: "where", method: WHERE }],
  });
  assert.equal(session.toolbox, at.toolboxes[0]);
});

Deno.test("the list is refused for other directories, other sessions and at other times", async () => {
  const list = (id: string, params: Record<string, unknown>): Step[] => [
    { send: { id, method: "_org.mini-me/tools/list", params } },
    { expectAnswer: id },
  ];
  await using at = await stage([
    ...INITIALIZE,
    { expect: "session/new" },
    ...list("elsewhere", { sessionId: "s1", cwd: "/" }),
    ...list("unnamed", { cwd: "$DIR" }),
    ...list("right", { sessionId: "s1", cwd: "$DIR" }),
    ...list("another", { sessionId: "s2", cwd: "$DIR" }),
    { respond: { sessionId: "s1" } },
    { expect: "session/prompt" },
    ...list("late", { sessionId: "s1", cwd: "$DIR" }),
    END_TURN,
  ]);
  const session = await at.client.newSession({ cwd: at.agent.directory });
  await session.prompt([]);
  for (const id of ["elsewhere", "unnamed", "another", "late"]) {
    assert.equal((await at.answer(id)).error?.code, -32602, id);
  }
  assert.ok((await at.answer("right")).result);
});

Deno.test("a call goes to the tools of its session, by method and session id", async () => {
  await using at = await stage([
    ...INITIALIZE,
    ...openWithList("s1"),
    ...openWithList("s2", "$DIR/other"),
    { expect: "session/prompt" },
    { send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "client: where" }, "s2") },
    callTool("one", "s1"),
    callTool("two", "s2"),
    callTool("unknown session", "s9"),
    callTool("no session", undefined),
    callTool("unknown method", "s1", "_test/other"),
    ...["one", "two", "unknown session", "no session", "unknown method"]
      .map((id): Step => ({ expectAnswer: id })),
    END_TURN,
  ]);
  const cwd = at.agent.directory;
  await Deno.mkdir(`${cwd}/other`);
  await at.client.newSession({ cwd });
  const second = await at.client.newSession({ cwd: `${cwd}/other` });
  await second.prompt([]);
  const text = (text: string) => ({ content: [{ type: "text", text }] });
  assert.deepEqual((await at.answer("one")).result, text(cwd));
  assert.deepEqual((await at.answer("two")).result, text(`${cwd}/other`));
  assert.equal((await at.answer("unknown session")).error?.code, -32602);
  assert.equal((await at.answer("no session")).error?.code, -32602);
  assert.equal((await at.answer("unknown method")).error?.code, -32601);
  const call = [...second.store.state.entries].find((e): e is ToolEntry => e.kind === "tool");
  assert.deepEqual(call?.log, [{ kind: "progress", text: `in ${cwd}/other` }]);
  assert.deepEqual(at.toolboxes[0]?.calls.map(({ sessionId, method }) => [sessionId, method]), [
    ["s1", WHERE],
  ]);
});

Deno.test("tools end with their session, all of them with the client", async () => {
  await using at = await stage([...INITIALIZE, ...openWithList("s1"), ...openWithList("s2")]);
  const first = await at.client.newSession({ cwd: at.agent.directory });
  await at.client.newSession({ cwd: at.agent.directory });
  await first.close();
  assert.deepEqual(at.toolboxes.map(({ closed }) => closed), [true, false]);
  await at.client.close();
  assert.deepEqual(at.toolboxes.map(({ closed }) => closed), [true, true]);
});

Deno.test("a session that is opened again gets fresh tools, and the old ones end", async () => {
  await using at = await stage([
    ...INITIALIZE,
    ...openWithList("s1"),
    { expect: "session/resume" },
    {
      send: {
        id: "again",
        method: "_org.mini-me/tools/list",
        params: { sessionId: "s1", cwd: "$DIR" },
      },
    },
    { expectAnswer: "again" },
    { respond: null },
    { expect: "session/prompt" },
    callTool("call", "s1"),
    { expectAnswer: "call" },
    END_TURN,
  ]);
  const options = { cwd: at.agent.directory };
  const before = await at.client.newSession(options);
  const after = await at.client.resumeSession("s1", { ...options, store: before.store });
  await eventually("the old tools end", () => at.toolboxes[0]?.closed === true);
  assert.equal(at.client.sessions.get("s1"), after);
  await before.close();
  assert.equal(at.client.sessions.get("s1"), after);
  assert.equal((await after.prompt([])).ok, true);
  assert.equal(at.toolboxes[1]?.calls.length, 1);
});

Deno.test("tools that cannot be opened leave the session open, with a notice", async () => {
  await using at = await stage([
    ...INITIALIZE,
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
  ], { openToolbox: () => Promise.reject(new Error("the disk is gone")) });
  const session = await at.client.newSession({ cwd: at.agent.directory });
  assert.equal(session.toolbox, undefined);
  const [notice] = [...session.store.state.entries];
  assert.ok(notice?.kind === "notice" && notice.text.includes("the disk is gone"));
});

Deno.test("in mode meta the tools of the starting directory go into initialize, for every session", async () => {
  const opened: (readonly [cwd: string, toolsOf?: string])[] = [];
  await using at = await stage([
    ...INITIALIZE,
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    { expect: "session/new" },
    { respond: { sessionId: "s2" } },
    { expect: "session/prompt" },
    callTool("call", "s2"),
    { expectAnswer: "call" },
    END_TURN,
  ], {
    discovery: "meta",
    openToolbox: (...directories) => {
      opened.push(directories);
      return Promise.resolve(fakeToolbox(directories[0]));
    },
  });
  const cwd = at.agent.directory;
  assert.equal(at.client.discovery, "meta");
  assert.deepEqual(await at.offered(), [[{ name: "where", method: WHERE }]]);
  await Deno.mkdir(`${cwd}/other`);
  const first = await at.client.newSession({ cwd });
  const second = await at.client.newSession({ cwd: `${cwd}/other` });
  assert.deepEqual(opened, [[cwd], [`${cwd}/other`, cwd]]);
  await first.close();
  assert.equal((first.toolbox as FakeToolbox).closed, false, "it is of the connection");
  await second.prompt([]);
  const text = `${cwd}/other`;
  assert.deepEqual((await at.answer("call")).result, { content: [{ type: "text", text }] });
  await second.close();
  assert.equal((second.toolbox as FakeToolbox).closed, true);
  await at.client.close();
  assert.equal((first.toolbox as FakeToolbox).closed, true);
});

Deno.test("a tool whose file is broken by now is answered by its toolbox, not as an unknown method", async () => {
  const why = { content: [{ type: "text", text: "word.ts:3: is broken" }], isError: true };
  await using at = await stage([
    ...INITIALIZE,
    ...openWithList("s1"),
    { expect: "session/prompt" },
    callTool("call", "s1"),
    { expectAnswer: "call" },
    END_TURN,
  ], {
    openToolbox: (cwd) => {
      const toolbox = fakeToolbox(cwd);
      const [tool] = toolbox.tools;
      return Promise.resolve({
        ...toolbox,
        tools: [],
        descriptions: () => [],
        offered: (method) => method === WHERE ? tool : undefined,
        call: () => Promise.resolve(why),
      });
    },
  });
  await (await at.client.newSession({ cwd: at.agent.directory })).prompt([]);
  assert.deepEqual((await at.answer("call")).result, why);
});

Deno.test("auto starts the agent again, once, when it wanted the list in initialize", async () => {
  const advice: string[] = [];
  const modes: string[] = [];
  await using at = await stage(
    [
      ...INITIALIZE,
      { stderr: WANTS_LIST },
      { expect: "session/new" },
      { respond: { sessionId: "first" } },
    ],
    {
      onAdvice: (text) => advice.push(text),
      onDiscovery: (mode) => modes.push(mode),
    },
    {
      laterRuns: [[
        ...INITIALIZE,
        { expect: "session/new" },
        { respond: { sessionId: "second" } },
        { expect: "session/new" },
        { respond: { sessionId: "third" } },
      ]],
    },
  );
  const cwd = at.agent.directory;
  const session = await at.client.newSession({ cwd });
  assert.equal(session.id, "second");
  assert.equal(at.client.discovery, "meta");
  assert.equal(session.toolbox, at.toolboxes.at(-1));
  assert.deepEqual([...at.client.sessions.keys()], ["second"]);
  await at.client.newSession({ cwd });
  assert.deepEqual(await at.offered(), [true, [{ name: "where", method: WHERE }]]);
  assert.equal(advice.length, 1);
  assert.match(advice[0] ?? "", /acp\.clientTools\.discovery: request/);
  assert.deepEqual(modes, ["meta"]);
  const [before = 0, now = 0] = await at.agent.pids();
  assert.deepEqual([await isAlive(before), await isAlive(now)], [false, true]);
});

Deno.test("auto takes the line also when it comes a little after the answer", async () => {
  await using at = await stage(
    [...INITIALIZE, { expect: "session/new" }, { respond: { sessionId: "first" } }, {
      stderr: WANTS_LIST,
    }],
    {},
    {
      laterRuns: [[...INITIALIZE, { expect: "session/new" }, { respond: { sessionId: "second" } }]],
    },
  );
  assert.equal((await at.client.newSession({ cwd: at.agent.directory })).id, "second");
});

Deno.test("auto leaves an agent alone that asks for the list, or says nothing", async (t) => {
  const cases: [string, Step[]][] = [
    ["it asks", [...INITIALIZE, { stderr: WANTS_LIST }, ...openWithList("s1")]],
    ["it is silent", [...INITIALIZE, { expect: "session/new" }, { respond: { sessionId: "s1" } }]],
  ];
  for (const [name, steps] of cases) {
    await t.step(name, async () => {
      await using at = await stage(steps);
      assert.equal((await at.client.newSession({ cwd: at.agent.directory })).id, "s1");
      assert.equal((await at.agent.pids()).length, 1);
      assert.equal(at.client.discovery, "request");
    });
  }
});

Deno.test("auto does not start again for nothing to offer, nor when the mode is given", async (t) => {
  const steps: Step[] = [
    ...INITIALIZE,
    { stderr: WANTS_LIST },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
  ];
  const cases: [string, Partial<ClientOptions>][] = [
    ["no tools", { openToolbox: (cwd) => Promise.resolve(fakeToolbox(cwd, [])) }],
    ["mode request", { discovery: "request" }],
  ];
  for (const [name, options] of cases) {
    await t.step(name, async () => {
      await using at = await stage(steps, options);
      assert.equal((await at.client.newSession({ cwd: at.agent.directory })).id, "s1");
      assert.equal((await at.agent.pids()).length, 1);
    });
  }
});

Deno.test("the mode that worked before is tried first", async () => {
  await using at = await stage(
    [...INITIALIZE, { stderr: TAKEN }, { expect: "session/new" }, { respond: { sessionId: "s1" } }],
    { rememberedDiscovery: "meta" },
  );
  await at.client.newSession({ cwd: at.agent.directory });
  assert.deepEqual(await at.offered(), [[{ name: "where", method: WHERE }]]);
  assert.deepEqual(at.client.toolReception("s1").taken, ["client_where"]);
});

Deno.test("a mode that worked before and does not any more is left for the other one", async () => {
  const modes: string[] = [];
  const advice: string[] = [];
  await using at = await stage(
    [...INITIALIZE, { expect: "session/new" }, { respond: { sessionId: "first" } }],
    {
      rememberedDiscovery: "meta",
      onDiscovery: (mode) => modes.push(mode),
      onAdvice: (text) => advice.push(text),
    },
    { laterRuns: [[...INITIALIZE, ...openWithList("second")]] },
  );
  const session = await at.client.newSession({ cwd: at.agent.directory });
  assert.equal(session.id, "second");
  assert.deepEqual(await at.offered(), [[{ name: "where", method: WHERE }], true]);
  assert.deepEqual([modes, advice.length], [["request"], 1]);
  assert.ok(at.client.toolReception("second").asked);
});

Deno.test("an agent that asks for the list is asked for no other mode later", async () => {
  const modes: string[] = [];
  await using at = await stage([...INITIALIZE, ...openWithList("s1")], {
    rememberedDiscovery: "meta",
    onDiscovery: (mode) => modes.push(mode),
  });
  await at.client.newSession({ cwd: at.agent.directory });
  assert.deepEqual(modes, ["request"]);
});

Deno.test("an agent that takes tools in the other mode than the given one is told of", async () => {
  const advice: string[] = [];
  await using at = await stage(
    [...INITIALIZE, { stderr: WANTS_LIST }, { expect: "session/new" }, {
      respond: { sessionId: "s1" },
    }],
    { discovery: "request", onAdvice: (text) => advice.push(text) },
  );
  await at.client.newSession({ cwd: at.agent.directory });
  assert.equal((await at.agent.pids()).length, 1);
  assert.match(advice.join(), /acp\.clientTools\.discovery: request .*--discovery meta/);
  assert.deepEqual(at.client.toolReception("s1").troubles, advice);
});

Deno.test("auto does not take the agent away from other sessions; it says what to do", async () => {
  const advice: string[] = [];
  await using at = await stage(
    [
      ...INITIALIZE,
      { stderr: WANTS_LIST },
      { expect: "session/new" },
      { respond: { sessionId: "without" } },
      { expect: "session/new" },
      { respond: { sessionId: "with" } },
    ],
    {
      openToolbox: (cwd) => Promise.resolve(fakeToolbox(cwd, cwd.endsWith("with") ? ["a"] : [])),
      onAdvice: (text) => advice.push(text),
    },
  );
  const cwd = at.agent.directory;
  await Deno.mkdir(`${cwd}/with`);
  await at.client.newSession({ cwd });
  await at.client.newSession({ cwd: `${cwd}/with` });
  assert.equal((await at.agent.pids()).length, 1);
  assert.match(advice.join(), /\/restart/);
});

Deno.test("auto starts the agent again when the only session gets its first tools by being opened again", async () => {
  let names: string[] = [];
  await using at = await stage(
    [
      ...INITIALIZE,
      { stderr: WANTS_LIST },
      { expect: "session/new" },
      { respond: { sessionId: "s1" } },
      { expect: "session/resume" },
      { respond: null },
    ],
    { openToolbox: (cwd) => Promise.resolve(fakeToolbox(cwd, names)) },
    {
      laterRuns: [[
        ...INITIALIZE,
        { expect: "session/resume" },
        { respond: null },
        { expect: "session/prompt" },
        callTool("call", "s1"),
        { expectAnswer: "call" },
        END_TURN,
      ]],
    },
  );
  const options = { cwd: at.agent.directory };
  const { store } = await at.client.newSession(options);
  names = ["where"];
  const again = await at.client.resumeSession("s1", { ...options, store });
  assert.equal(at.client.discovery, "meta");
  assert.equal((await again.prompt([])).ok, true);
  assert.ok((await at.answer("call")).result);
});

Deno.test("what the agent skips of a list is told by its name", async () => {
  const advice: string[] = [];
  await using at = await stage([
    ...INITIALIZE,
    ...openWithList("s1"),
    { expect: "session/prompt" },
    { stderr: "[acp] client tools: entry 0 skipped: no name\n" },
    END_TURN,
  ], { onAdvice: (text) => advice.push(text) });
  await (await at.client.newSession({ cwd: at.agent.directory })).prompt([]);
  await eventually("the advice", () => advice.length > 0);
  assert.deepEqual(advice, ['The agent leaves out the tool "where": no name']);
});

Deno.test("a second start that fails is an error, and nothing is left", async () => {
  await using at = await stage(
    [...INITIALIZE, { stderr: WANTS_LIST }, { expect: "session/new" }, {
      respond: { sessionId: "first" },
    }],
    {},
    { laterRuns: [[{ stderr: "no more\n" }, { exit: 9 }]] },
  );
  await assert.rejects(at.client.newSession({ cwd: at.agent.directory }), {
    code: "agent_exited",
    message: /9/,
  });
  await at.client.closed;
  for (const pid of await at.agent.pids()) assert.equal(await isAlive(pid), false);
});
