import assert from "node:assert/strict";
import {
  askPermission,
  END_TURN,
  eventually,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  say,
  type Step,
  update,
} from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const NEW: Step = { expect: "session/new" };
const opened = (sessionId: string): Step => ({ respond: { sessionId } });

const initialize = (agentCapabilities: unknown): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities } },
];

const KEEPING = {
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};

const SERVERS = [
  { name: "db", command: "db-mcp", args: ["--ro"], env: [{ name: "TOKEN", value: "sesame" }] },
  {
    type: "http",
    name: "web",
    url: "http://127.0.0.1:9",
    headers: [{ name: "A", value: "sesame" }],
  },
  { type: "sse", name: "old", url: "http://127.0.0.1:8", headers: [] },
];

async function params(program: TestProgram, method: string) {
  return (await program.agent.received()).filter((message) => message.method === method)
    .map((message) => message.params as Record<string, unknown>);
}

/** Answers the next question with an option. */
async function choose({ app }: TestProgram, id: string) {
  await eventually("the question is asked", () => app.state.questions.length > 0);
  const [question] = app.state.questions;
  assert.ok(question);
  app.answer(question.id, { type: "option", id });
  return question;
}

Deno.test("MCP servers that the agent cannot reach are left out with one warning, wherever they go", async () => {
  await using program = await openProgram([
    ...initialize({ loadSession: true, mcpCapabilities: { http: true }, ...KEEPING }),
    NEW,
    opened("s1"),
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "s0", cwd: "/" }] } },
    { expect: "session/load" },
    { respond: null },
    { expect: "session/resume" },
    { respond: {} },
  ], { mcpServers: SERVERS });
  const { app } = program;
  await app.startError;
  assert.deepEqual((await params(program, "session/new"))[0]?.mcpServers, SERVERS.slice(0, 2));
  assert.deepEqual(program.notices(), [
    'The agent cannot reach MCP servers by sse: "old" is left out',
  ]);
  await app.submit("/mcp");
  const table = program.outputs.at(-1) ?? "";
  assert.match(table, /`db` \| stdio \| `db-mcp --ro` \| TOKEN \| told/);
  assert.match(table, /`old` \| sse .* left out/);
  assert.doesNotMatch(table, /sesame/);
  await app.submit("/resume s0");
  await app.submit("/tools reload");
  assert.deepEqual((await params(program, "session/load"))[0]?.mcpServers, SERVERS.slice(0, 2));
  assert.deepEqual((await params(program, "session/resume"))[0]?.mcpServers, SERVERS.slice(0, 2));
});

Deno.test("an agent is always given a list of MCP servers", async () => {
  await using program = await openProgram(HANDSHAKE);
  await program.app.startError;
  assert.deepEqual((await params(program, "session/new"))[0]?.mcpServers, []);
  await program.app.submit("/mcp");
  assert.match(program.outputs.at(-1) ?? "", /No MCP servers are configured/);
});

Deno.test("/delete asks, deletes a kept session, and closes it first when it is open", async () => {
  const listed = {
    respond: {
      sessions: [{ sessionId: "s0", cwd: "/", title: "Old talk" }, { sessionId: "s2", cwd: "/" }],
    },
  };
  await using program = await openProgram([
    ...initialize(KEEPING),
    NEW,
    opened("s1"),
    { expect: "session/list" },
    listed,
    { expect: "session/list" },
    listed,
    { expect: "session/delete" },
    { respond: {} },
    NEW,
    opened("s2"),
    { expect: "session/list" },
    listed,
    { expect: "session/close" },
    { respond: {} },
    { expect: "session/delete" },
    { respond: {} },
  ]);
  const { app } = program;
  await app.startError;
  const refused = app.submit("/delete s0");
  const question = await choose(program, "no");
  assert.equal(question.title, "Delete the session Old talk?");
  await refused;
  assert.deepEqual(await params(program, "session/delete"), []);

  const deleting = app.submit("/delete");
  await choose(program, "s0");
  await eventually("it is asked again", () => app.state.questions[0]?.options[0]?.id === "yes");
  await choose(program, "yes");
  await deleting;
  await app.submit("/new");
  const open = app.submit("/delete s2");
  await choose(program, "yes");
  await open;
  assert.deepEqual(await params(program, "session/delete"), [
    { sessionId: "s0" },
    { sessionId: "s2" },
  ]);
  assert.equal(app.state.active.state.sessionId, "s1");
  assert.match(program.notices().join("\n"), /Session s2 is deleted/);
});

Deno.test("/delete without an id proposes open sessions as well, but never the only one", async () => {
  const listed = { respond: { sessions: [{ sessionId: "s1", cwd: "/" }] } };
  await using program = await openProgram([
    ...initialize(KEEPING),
    NEW,
    opened("s1"),
    { expect: "session/list" },
    listed,
    NEW,
    opened("s2"),
    { expect: "session/list" },
    listed,
    { expect: "session/close" },
    { respond: {} },
    { expect: "session/delete" },
    { respond: {} },
    { expect: "session/list" },
    listed,
  ]);
  const { app } = program;
  await app.startError;
  await app.submit("/delete");
  assert.match(program.notices().join(), /There is no earlier session/);
  await app.submit("/new");
  const deleting = app.submit("/delete");
  const { options } = await choose(program, "s1");
  assert.match(options[0]?.hint ?? "", /^open · /);
  await eventually("it is asked again", () => app.state.questions[0]?.options[0]?.id === "yes");
  await choose(program, "yes");
  await deleting;
  assert.deepEqual(await params(program, "session/delete"), [{ sessionId: "s1" }]);

  const unknown = app.submit("/delete nosuch");
  const { body } = await choose(program, "no");
  assert.match(body.join(), /not among the sessions that are known/);
  await unknown;
});

Deno.test("/close goes to another session, and stays where that cannot be opened again", async () => {
  await using program = await openProgram([...HANDSHAKE, NEW, opened("s2"), { exit: 0 }], {
    laterRuns: [[
      ...initialize(KEEPING),
      { expect: "session/resume" },
      { respond: {} },
      { expect: "session/resume" },
      { fail: { code: -32603, message: "the disk is full" } },
      { expect: "session/resume" },
      { respond: {} },
      { expect: "session/close" },
      { respond: {} },
    ]],
  });
  const { app } = program;
  await app.startError;
  await app.submit("/new");
  await eventually("the agent is gone", () => app.state.phase === "disconnected");
  await app.submit("/restart");
  const [first, second] = app.state.sessions;
  assert.equal(app.state.active, second);
  await app.submit("/close");
  assert.match(program.notices().join(), /the disk is full/);
  assert.equal(app.state.active, second);
  assert.deepEqual(app.state.sessions, [first, second]);
  await app.submit("/close");
  assert.equal(app.state.active, first);
  assert.deepEqual(app.state.sessions, [first]);
  assert.match(program.notices().at(-1) ?? "", /^Session s2 is closed; this is s1 in \//);
});

Deno.test("/delete, /add-dir and /fork are not sent to an agent that does not offer them", async () => {
  await using program = await openProgram(HANDSHAKE, { additionalDirectories: ["/tmp"] });
  const { app } = program;
  await app.startError;
  for (const command of ["/delete s0", `/add-dir ${program.agent.directory}`, "/fork"]) {
    await app.submit(command);
  }
  const notices = program.notices().join("\n");
  assert.match(notices, /takes no further directories: \/tmp is left out/);
  assert.match(notices, /Cannot delete sessions: the agent does not offer it/);
  assert.match(notices, /Cannot add a directory: the agent does not offer it/);
  const methods = (await program.agent.received()).map(({ method }) => method);
  assert.deepEqual(methods, ["initialize", "session/new"]);
  assert.equal("additionalDirectories" in ((await params(program, "session/new"))[0] ?? {}), false);
});

Deno.test("/add-dir opens the session again with the directory, in which the agent may read", async () => {
  const other = await Deno.realPath(await Deno.makeTempDir());
  const third = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(`${third}/a.txt`, "text");
  await using program = await openProgram([
    ...initialize(KEEPING),
    NEW,
    opened("s1"),
    { expect: "session/resume" },
    { respond: {} },
    PROMPT,
    {
      send: {
        id: "r",
        method: "fs/read_text_file",
        params: { sessionId: "s1", path: `${third}/a.txt` },
      },
    },
    { expectAnswer: "r" },
    END_TURN,
  ], { additionalDirectories: [other] });
  const { app } = program;
  await app.startError;
  assert.deepEqual((await params(program, "session/new"))[0]?.additionalDirectories, [other]);
  await app.submit("/add-dir /not/there");
  await app.submit(`/add-dir ${third}`);
  assert.deepEqual((await params(program, "session/resume"))[0]?.additionalDirectories, [
    other,
    third,
  ]);
  await app.submit("go");
  assert.deepEqual((await program.agent.answersTo("r"))[0]?.result, { content: "text" });
  await app.submit("/add-dir");
  assert.match(program.outputs.at(-1) ?? "", new RegExp(third));
  assert.match(program.notices().join("\n"), /Cannot add \/not\/there/);
  await Deno.remove(other);
  await Deno.remove(third, { recursive: true });
});

Deno.test("what happens in another session is counted, and its question says whose it is", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    { send: update({ sessionUpdate: "session_info_update", title: "First" }) },
    PROMPT,
    say("one"),
    { expect: "session/new" },
    opened("s2"),
    say("two"),
    say("three"),
    askPermission("p", "c1"),
    { expectAnswer: "p" },
    END_TURN,
  ]);
  const { app } = program;
  void app.submit("go");
  await eventually("the turn runs", () => program.texts("agent").length === 1);
  await app.submit("/new");
  const [first] = app.state.sessions;
  await eventually("the question is asked", () => app.state.questions.length === 1);
  const [question] = app.state.questions;
  assert.match(question?.title ?? "", /^\[session First\] Let the agent use a tool/);
  assert.equal(question?.store, first);
  assert.deepEqual(app.state.missed?.map(({ store, updates }) => [store === first, updates]), [
    [true, 2],
  ]);
  app.answer(question?.id ?? "", { type: "option", id: "y" });
  await eventually(
    "the turn's end is told",
    () => /First has ended/.test(program.notices().join()),
  );
  await app.submit("/sessions");
  assert.match(program.outputs.at(-1) ?? "", /\| First \| .* \| 2 updates \|/);
  await app.submit("/switch 1");
  assert.deepEqual(app.state.missed, []);
});

Deno.test("/trace shows what went over the wire without secrets, and writes a file on demand", async () => {
  await using program = await openProgram([
    ...INITIALIZE,
    NEW,
    opened("s1"),
    { stderr: "password=hunter22\n" },
    PROMPT,
    say("x".repeat(10_000)),
    END_TURN,
    PROMPT,
    END_TURN,
  ], { mcpServers: SERVERS.slice(0, 1) });
  const { app } = program;
  await app.submit("go");
  await app.submit("/trace 50");
  const shown = program.outputs.at(-1) ?? "";
  assert.match(shown, /-> \{.*"method":"session\/new".*db-mcp/);
  assert.match(shown, /<- \{.*agent_message_chunk.*x{500}… \(10000 characters\)/);
  assert.doesNotMatch(shown, /sesame|hunter22/);
  await app.submit("/trace talk.ndjson");
  await app.submit("again");
  await app.submit("/trace off");
  const file = `${program.agent.directory}/talk.ndjson`;
  assert.match(await Deno.readTextFile(file), /"session\/prompt"/);
  assert.doesNotMatch(await Deno.readTextFile(file), /session\/new/);
});

Deno.test("/copy takes the last answer to the clipboard, by a tool or by the terminal", async () => {
  const directory = await Deno.makeTempDir();
  const tool = Deno.build.os === "darwin" ? "pbcopy" : "wl-copy";
  await Deno.writeTextFile(`${directory}/${tool}`, `#!/bin/sh\ncat > '${directory}/copied'\n`, {
    mode: 0o755,
  });
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    say("old"),
    END_TURN,
    PROMPT,
    say("new **answer**\n"),
    END_TURN,
  ]);
  const { app } = program;
  await app.startError;
  await app.submit("/copy");
  assert.match(program.notices().join(), /has not answered yet/);
  await app.submit("a");
  await app.submit("b");
  await using _env = withEnv({
    PATH: `${directory}:${Deno.env.get("PATH")}`,
    WAYLAND_DISPLAY: "wayland-0",
    SSH_CONNECTION: undefined,
  });
  await app.submit("/copy");
  assert.equal(await Deno.readTextFile(`${directory}/copied`), "new **answer**");
  Deno.env.set("SSH_CONNECTION", "1.2.3.4 5 6.7.8.9 22");
  await app.submit("/copy");
  assert.match(program.notices().join(), /no clipboard to be had/);
  let copied = "";
  app.copyText = (text) => {
    copied = text;
    return true;
  };
  await app.submit("/copy");
  assert.equal(copied, "new **answer**");
  await Deno.remove(directory, { recursive: true });
});

function withEnv(values: Readonly<Record<string, string | undefined>>): AsyncDisposable {
  const before = new Map(Object.keys(values).map((name) => [name, Deno.env.get(name)]));
  const set = (name: string, value: string | undefined) =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  for (const [name, value] of Object.entries(values)) set(name, value);
  return {
    [Symbol.asyncDispose]: () => {
      for (const [name, value] of before) set(name, value);
      return Promise.resolve();
    },
  };
}

Deno.test("/sessions and /resume say how long ago a session changed", async () => {
  const updatedAt = new Date(Date.now() - 3.5 * 60_000).toISOString();
  const listed: Step[] = [
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "s0", cwd: "/work", updatedAt }] } },
  ];
  await using program = await openProgram([
    ...initialize({ loadSession: true, sessionCapabilities: { list: {} } }),
    NEW,
    opened("s1"),
    ...listed,
    ...listed,
  ]);
  const { app } = program;
  await app.startError;
  await app.submit("/sessions");
  assert.match(program.outputs.at(-1) ?? "", /`s0` *\| *\| 3 minutes ago/);
  const choosing = app.submit("/resume");
  await eventually("it asks", () => app.state.questions.length > 0);
  const question = app.state.questions[0];
  assert.equal(question?.options[0]?.hint, "3 minutes ago · /work");
  app.answer(question?.id ?? "", { type: "dismissed" });
  await choosing;
});

Deno.test("a command without arguments does nothing when it is given some", async () => {
  await using program = await openProgram([...HANDSHAKE, NEW, opened("s2")]);
  const { app } = program;
  await app.startError;
  await app.submit("/new");
  await app.submit("/close 1");
  assert.match(program.notices().join(), /Nothing was done: \/close takes no arguments/);
  assert.equal(app.state.sessions.length, 2);
  await app.submit("/help close");
  assert.ok(program.outputs.join().includes("/close"));
});

const told = (value: Readonly<Record<string, unknown>>): Step => ({ send: update(value, "s0") });

const said = (sessionUpdate: string, text: string): Step =>
  told({ sessionUpdate, content: { type: "text", text } });

Deno.test("a session that is loaded keeps the title that it is listed with, and its turns count", async () => {
  const listed = { sessionId: "s0", cwd: "/", title: "Mend the roof" };
  await using program = await openProgram([
    ...initialize({ loadSession: true, ...KEEPING }),
    NEW,
    opened("s1"),
    { expect: "session/list" },
    { respond: { sessions: [listed] } },
    { expect: "session/load" },
    said("user_message_chunk", "one"),
    said("agent_message_chunk", "1"),
    said("user_message_chunk", "two"),
    said("agent_message_chunk", "2"),
    { respond: null },
    { expect: "session/list" },
    { respond: { sessions: [listed] } },
    PROMPT,
    told({ sessionUpdate: "session_info_update", title: "Mend the wall" }),
    END_TURN,
  ]);
  const { app } = program;
  await app.startError;
  await app.submit("/resume s0");
  await app.submit("/sessions");
  assert.match(program.outputs.at(-1) ?? "", /\| ● 2 \| `s0` \| Mend the roof \|/);
  await app.submit("go on");
  await app.submit("/status");
  assert.match(program.outputs.at(-1) ?? "", /title \| Mend the wall[^]*turns \| 3/);
});

Deno.test("the newest session of the directory goes on with the title that it is listed with", async () => {
  await using program = await openProgram([
    ...initialize({ loadSession: true, ...KEEPING }),
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "s0", title: "Mend the roof" }] } },
    { expect: "session/load" },
    { respond: null },
  ], { open: { how: "continue" } });
  assert.equal(await program.app.startError, undefined);
  assert.equal(program.app.state.active.state.title, "Mend the roof");
});
