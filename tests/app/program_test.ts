import assert from "node:assert/strict";
import {
  ask,
  askPermission,
  END_TURN,
  eventually,
  HANDSHAKE,
  isAlive,
  PROMPT,
  say,
  type Step,
  update,
} from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const turn = (text: string): Step[] => [PROMPT, say(text), END_TURN];

/** Answers `initialize` of an agent that can resume and load. */
const REOPENING: Step[] = [
  { expect: "initialize" },
  {
    respond: {
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {}, list: {} } },
    },
  },
];

const prompts = async ({ agent }: TestProgram) =>
  (await agent.received()).filter(({ method }) => method === "session/prompt")
    .map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text);

Deno.test("createApp() starts the agent at once and is ready when the session is open", async () => {
  await using program = await openProgram([...HANDSHAKE, ...turn("hi")], {
    startNotices: ["first of all"],
  });
  const { app } = program;
  assert.equal(app.state.phase, "starting");
  assert.equal(await app.startError, undefined);
  assert.equal(app.state.phase, "ready");
  assert.equal(app.state.active.state.sessionId, "s1");
  await app.submit("hello");
  assert.deepEqual(program.texts("agent"), ["hi"]);
  assert.deepEqual(program.notices(), ["first of all"]);
});

Deno.test("createApp() keeps what is typed before the agent is ready, and sends it in order", async () => {
  await using program = await openProgram([...HANDSHAKE, ...turn("1"), ...turn("2")]);
  const { app } = program;
  const all = [app.submit("a"), app.submit("b")];
  assert.deepEqual(app.state.queue, ["a", "b"]);
  await Promise.all(all);
  assert.deepEqual(await prompts(program), ["a", "b"]);
  assert.deepEqual(program.texts("agent"), ["1", "2"]);
});

Deno.test("createApp() waits a moment for commands that are told after the session has opened", async () => {
  const told = update({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "exit", description: "d" }, { name: "plan", description: "d" }],
  });
  await using program = await openProgram([
    ...HANDSHAKE,
    { untilFile: "$DIR/typed" },
    { send: told },
    PROMPT,
    END_TURN,
    PROMPT,
    END_TURN,
  ]);
  await program.app.startError;
  const sent = [program.app.submit("//exit now"), program.app.submit("/plan it")];
  await Deno.writeTextFile(`${program.agent.directory}/typed`, "");
  await Promise.all(sent);
  assert.deepEqual(program.texts("user"), ["/exit now", "/plan it"]);
  assert.deepEqual(program.notices().filter((text) => text.includes("no command")), []);
});

Deno.test("createApp() waits for the agent's commands before it calls a word unknown", async () => {
  const commands = update({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "plan", description: "d" }],
  });
  await using program = await openProgram([
    ...HANDSHAKE.slice(0, -1),
    { respondAfter: [commands], respond: { sessionId: "s1" } },
    ...turn("planned"),
  ]);
  await program.app.submit("/plan it");
  assert.deepEqual(await prompts(program), ["/plan it"]);
});

Deno.test("submit() refuses a mistyped command with a suggestion and sends nothing", async () => {
  await using program = await openProgram(HANDSHAKE);
  await program.app.startError;
  await program.app.submit("/eixt");
  assert.match(
    program.notices().join(),
    /no command \/eixt: it was not sent \| Did you mean \/exit/,
  );
  assert.deepEqual(await prompts(program), []);
});

Deno.test("a failed start says why, keeps the program usable and starts again on Enter", async () => {
  await using program = await openProgram([{ stderr: "no key\n" }, { exit: 127 }], {
    laterRuns: [[...HANDSHAKE, ...turn("back")]],
  });
  const { app } = program;
  const error = await app.startError;
  assert.equal(error?.code, "agent_exited");
  assert.equal(app.state.phase, "disconnected");
  assert.match(program.notices().join(), /exit status 127.*no key/s);
  const sent = app.submit("kept");
  assert.deepEqual(app.state.queue, ["kept"]);
  await app.submit("");
  await sent;
  assert.equal(app.state.phase, "ready");
  assert.deepEqual(program.texts("agent"), ["back"]);
});

Deno.test("a failed start without a person settles every prompt", async () => {
  await using program = await openProgram([{ exit: 1 }], { interactive: false });
  const sent = program.app.prompt("x");
  assert.equal((await program.app.startError)?.exit, 3);
  assert.equal(await sent, undefined);
  assert.equal(await program.app.prompt("y"), undefined);
  await program.app.submit("z");
  assert.match(program.notices().at(-1) ?? "", /not sent: z/);
});

Deno.test("an agent that dies leaves the transcript, and Enter goes on with the session", async () => {
  await using program = await openProgram([
    ...REOPENING,
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
    PROMPT,
    say("partial"),
    askPermission(7, "c1"),
    { stderr: "out of memory\n" },
    { die: "SIGKILL" },
  ], {
    laterRuns: [[
      ...REOPENING,
      { expect: "session/resume" },
      { respond: {} },
      ...turn("whole"),
    ]],
  });
  const { app } = program;
  await app.submit("go");
  await eventually("the loss is seen", () => app.state.phase === "disconnected");
  assert.deepEqual(app.state.questions, []);
  assert.match(program.notices().join("\n"), /SIGKILL[^]*out of memory/);
  await app.submit("");
  await app.submit("again");
  assert.deepEqual(program.texts("agent"), ["partial", "whole"]);
  assert.equal(app.state.active.state.disconnected, false);
});

Deno.test("a restart says so when the agent cannot resume sessions", async () => {
  await using program = await openProgram([...HANDSHAKE, ...turn("1")], {
    laterRuns: [[...HANDSHAKE, ...turn("2")]],
  });
  await program.app.submit("a");
  await program.app.submit("/restart");
  await program.app.submit("b");
  assert.match(program.notices().join("\n"), /cannot resume sessions/);
  assert.deepEqual(program.texts("agent"), ["1", "2"]);
  const [first = 0] = await program.agent.pids();
  assert.equal(await isAlive(first), false);
});

Deno.test("a restart whose resume fails opens no empty session in its place", async () => {
  await using program = await openProgram([
    ...REOPENING,
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
  ], {
    laterRuns: [[
      ...REOPENING,
      { expect: "session/resume" },
      { fail: { code: -32002, message: "gone" } },
      { expect: "session/new" },
      { respond: { sessionId: "s2" } },
      PROMPT,
      say("fresh", "s2"),
      END_TURN,
    ]],
  });
  const { app } = program;
  await app.startError;
  await app.submit("/restart");
  assert.match(program.notices().join("\n"), /Cannot go on with session s1[^]*\/new/);
  const methods = (await program.agent.received()).map(({ method }) => method);
  assert.equal(methods.filter((method) => method === "session/new").length, 1);
  await app.submit("/new");
  await app.submit("hi");
  assert.equal(app.state.active.state.sessionId, "s2");
  assert.deepEqual(program.texts("agent"), ["fresh"]);
});

/** An agent whose sessions need a sign-in, that `steps` goes on from after `session/new` failed. */
const signedOut = (...steps: Step[]): Step[] => [
  { expect: "initialize" },
  {
    respond: {
      protocolVersion: 1,
      authMethods: [{ id: "login", name: "Sign in" }, { id: "other", name: "Another way" }],
    },
  },
  { expect: "session/new" },
  { fail: { code: -32000, message: "Authentication required" } },
  ...steps,
];

const SIGN_IN: Step[] = [{ expect: "authenticate" }, { respond: {} }];
const OPEN: Step[] = [{ expect: "session/new" }, { respond: { sessionId: "s1" } }];

Deno.test("a person is asked how to sign in, and what was typed is sent once after that", async () => {
  await using program = await openProgram(signedOut(...SIGN_IN, ...OPEN, ...turn("in")));
  const { app } = program;
  const sent = app.submit("hello");
  await eventually("the question is asked", () => app.state.questions.length === 1);
  const [question] = app.state.questions;
  assert.deepEqual(question?.options.map(({ label }) => label), ["Sign in", "Another way"]);
  app.answer(question?.id ?? "", { type: "option", id: "login" });
  await sent;
  assert.deepEqual(program.texts("agent"), ["in"]);
  assert.deepEqual(await prompts(program), ["hello"]);
});

Deno.test("a person who would not sign in is told how to do it later", async () => {
  await using program = await openProgram(signedOut(...SIGN_IN, ...OPEN, ...turn("in")));
  const { app } = program;
  await eventually("the question is asked", () => app.state.questions.length === 1);
  app.answer(app.state.questions[0]?.id ?? "", { type: "dismissed" });
  assert.equal((await app.startError)?.code, "auth");
  assert.match(program.notices().join(), /login \(Sign in\).*\/login signs in/);
  await app.submit("/login nothing");
  await app.submit("/login login");
  await app.submit("hello");
  assert.match(program.notices().join(), /Cannot sign in by nothing/);
  assert.deepEqual(program.texts("agent"), ["in"]);
});

Deno.test("without a person a wanted sign-in is an error that names the ways", async () => {
  await using program = await openProgram(signedOut(), { interactive: false });
  assert.equal((await program.app.startError)?.exit, 6);
  assert.match(program.notices().join(), /login \(Sign in\), other \(Another way\)/);
});

for (const stopReason of ["cancelled", "end_turn", "refusal"]) {
  Deno.test(`cancelTurn() keeps the queue when the agent answers ${stopReason}; Enter sends it`, async () => {
    await using program = await openProgram([
      ...HANDSHAKE,
      PROMPT,
      { expect: "session/cancel" },
      { respond: { stopReason }, to: "session/prompt" },
      ...turn("later"),
    ]);
    const { app } = program;
    await app.startError;
    assert.equal(app.cancelTurn(), false);
    const first = app.submit("a");
    await eventually("the turn runs", () => app.state.active.state.turn.state === "running");
    const second = app.submit("b");
    assert.equal(app.cancelTurn(), true);
    await first;
    assert.deepEqual(app.state.queue, ["b"]);
    assert.match(program.notices().join("\n"), /1 queued prompt is kept/);
    await app.submit("");
    await second;
    assert.deepEqual(program.texts("agent"), ["later"]);
  });
}

Deno.test("submit() with now cancels the turn and goes before the queue", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    { expect: "session/cancel" },
    { respond: { stopReason: "cancelled" }, to: "session/prompt" },
    ...turn("1"),
    ...turn("2"),
  ]);
  const { app } = program;
  void app.submit("a");
  await eventually("the turn runs", () => app.state.active.state.turn.state === "running");
  const queued = app.submit("b");
  await app.submit("urgent", { now: true });
  await queued;
  assert.deepEqual(await prompts(program), ["a", "urgent", "b"]);
});

Deno.test("answer() gives the person's choice to the agent", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    askPermission("p", "c1"),
    { expectAnswer: "p" },
    END_TURN,
  ]);
  const { app } = program;
  const sent = app.submit("go");
  await eventually("the question is asked", () => app.state.questions.length === 1);
  const [question] = app.state.questions;
  app.answer(question?.id ?? "", { type: "option", id: "y" });
  await sent;
  assert.deepEqual((await program.agent.answersTo("p"))[0]?.result, {
    outcome: { outcome: "selected", optionId: "y" },
  });
});

Deno.test("a permission is refused at once where nobody can be asked, with one notice", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    askPermission(1, "c1"),
    { expectAnswer: 1 },
    askPermission(2, "c2"),
    { expectAnswer: 2 },
    END_TURN,
  ], { interactive: false, permissions: "deny" });
  await program.app.prompt("go");
  for (const id of [1, 2]) {
    assert.deepEqual((await program.agent.answersTo(id))[0]?.result, {
      outcome: { outcome: "selected", optionId: "n" },
    });
  }
  assert.equal(program.notices().filter((text) => text.startsWith("Refused")).length, 1);
});

Deno.test("a file from outside is refused where nobody can be asked", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    ask("f", "fs/read_text_file", { path: "/etc/hostname" }),
    { expectAnswer: "f" },
    END_TURN,
  ], { interactive: false });
  await program.app.prompt("go");
  assert.notEqual((await program.agent.answersTo("f"))[0]?.error, undefined);
});

Deno.test("a mode that the agent does not offer is a failed start", async () => {
  await using program = await openProgram([
    ...HANDSHAKE.slice(0, -1),
    {
      respond: {
        sessionId: "s1",
        modes: { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] },
      },
    },
  ], { interactive: false, mode: "b" });
  const error = await program.app.startError;
  assert.equal(error?.code, "not_supported");
  assert.match(error?.hint ?? "", /It offers a/);
});

Deno.test("--continue opens the newest session that the agent lists for the directory", async () => {
  await using program = await openProgram([
    ...REOPENING,
    { expect: "session/list" },
    {
      respond: {
        sessions: [
          { sessionId: "old", updatedAt: "2026-01-01T00:00:00Z" },
          { sessionId: "new", updatedAt: "2026-02-01T00:00:00Z" },
          { sessionId: "other", cwd: "/elsewhere", updatedAt: "2026-03-01T00:00:00Z" },
        ],
      },
    },
    { expect: "session/load" },
    { send: update({ sessionUpdate: "user_message_chunk", content: "before" }, "new") },
    { respond: null },
  ], { open: { how: "continue" } });
  assert.equal(await program.app.startError, undefined);
  assert.equal(program.app.state.active.state.sessionId, "new");
  assert.deepEqual(program.texts("user"), ["before"]);
});

Deno.test("--continue without an earlier session fails in a script and is a new one for a person", async () => {
  const listing: Step[] = [
    ...REOPENING,
    { expect: "session/list" },
    { respond: { sessions: [] } },
    { expect: "session/new" },
    { respond: { sessionId: "s1" } },
  ];
  await using script = await openProgram(listing, {
    open: { how: "continue" },
    interactive: false,
  });
  assert.equal((await script.app.startError)?.code, "session_not_found");
  await using person = await openProgram(listing, { open: { how: "continue" } });
  assert.equal(await person.app.startError, undefined);
  assert.match(person.notices().join(), /no earlier session/);
});

Deno.test("leave() ends the agent, dismisses questions and settles everything once", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    PROMPT,
    askPermission(1, "c1"),
    { hang: true },
  ]);
  const { app } = program;
  const sent = app.submit("go");
  const queued = app.submit("next");
  await eventually("the question is asked", () => app.state.questions.length === 1);
  const [pid = 0] = await program.agent.pids();
  await Promise.all([app.leave(5), app.leave(7)]);
  assert.equal(await app.done, 5);
  await Promise.all([sent, queued]);
  assert.equal(app.state.questions.length, 0);
  assert.equal(await isAlive(pid), false);
});

Deno.test("leave() gives up an agent that is still being started", async () => {
  await using program = await openProgram([{ expect: "initialize" }, { hang: true }]);
  const { app } = program;
  await eventually("the agent runs", async () => (await program.agent.pids()).length === 1);
  const [pid = 0] = await program.agent.pids();
  await app.leave(130);
  assert.equal(await app.done, 130);
  assert.equal(await isAlive(pid), false);
});
