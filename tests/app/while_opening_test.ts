import assert from "node:assert/strict";
import {
  END_TURN,
  eventually,
  HANDSHAKE,
  PROMPT,
  say,
  type Step,
} from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const NEW: Step = { expect: "session/new" };
/** The second session opens when the test says so. */
const SECOND: readonly Step[] = [...HANDSHAKE, NEW, { untilFile: "$DIR/open" }];

async function sent({ agent }: TestProgram, method: string) {
  return (await agent.received()).filter((message) => message.method === method)
    .map(({ params }) => params as Record<string, unknown>);
}

/** Waits until the agent has been asked for a second session. */
async function asked(program: TestProgram): Promise<void> {
  await eventually("a second session is asked for", async () => {
    return (await sent(program, "session/new")).length === 2;
  });
}

const open = ({ agent }: TestProgram) => Deno.writeTextFile(`${agent.directory}/open`, "");

Deno.test("what is entered while a session is being opened goes to that session, in order", async () => {
  await using program = await openProgram([
    ...SECOND,
    {
      respond: {
        sessionId: "s2",
        modes: {
          currentModeId: "a",
          availableModes: [{ id: "a", name: "A" }, { id: "b", name: "B" }],
        },
      },
    },
    { expect: "session/set_mode" },
    { respond: {} },
    PROMPT,
    say("fresh", "s2"),
    END_TURN,
    PROMPT,
    END_TURN,
  ]);
  const { app } = program;
  await app.startError;
  const opened = app.submit("/new");
  await asked(program);
  const prompts = [app.submit("one"), app.submit("two")];
  const mode = app.submit("/mode b");
  assert.deepEqual(app.state.queue, ["one", "two"]);
  assert.equal(app.unqueue(), "two");
  prompts[1] = app.submit("three");
  await app.submit("/queue");
  await open(program);
  await Promise.all([opened, mode, ...prompts]);
  assert.deepEqual((await sent(program, "session/set_mode")).map(({ sessionId }) => sessionId), [
    "s2",
  ]);
  const seen = (await sent(program, "session/prompt")).map(({ sessionId, prompt }) => [
    sessionId,
    (prompt as { text: string }[])[0]?.text,
  ]);
  assert.deepEqual(seen, [["s2", "one"], ["s2", "three"]]);
  assert.equal(app.state.active.state.sessionId, "s2");
});

Deno.test("what is entered for a session that cannot be opened waits for the person's word", async () => {
  await using program = await openProgram([
    ...SECOND,
    { fail: { code: -32603, message: "no more sessions" } },
    PROMPT,
    END_TURN,
  ]);
  const { app } = program;
  await app.startError;
  const opened = app.submit("/new");
  await asked(program);
  const prompt = app.submit("for the new one");
  await open(program);
  await opened;
  assert.match(program.notices().join("\n"), /no more sessions/);
  assert.match(program.notices().join("\n"), /1 queued prompt is kept: Enter sends/);
  assert.deepEqual(app.state.queue, ["for the new one"]);
  assert.deepEqual(await sent(program, "session/prompt"), []);
  await app.submit("");
  await prompt;
  assert.deepEqual((await sent(program, "session/prompt")).map(({ sessionId }) => sessionId), [
    "s1",
  ]);
});

Deno.test("/new waits for the agent to start, and what is entered after it", async () => {
  await using program = await openProgram([
    ...SECOND,
    { respond: { sessionId: "s2" } },
    PROMPT,
    say("fresh", "s2"),
    END_TURN,
  ]);
  const { app } = program;
  assert.equal(app.state.phase, "starting");
  const opened = app.submit("/new");
  const tools = app.submit("/tools");
  await eventually("/new is carried out", () => app.state.underway?.length === 2);
  const prompt = app.submit("for the new one");
  await open(program);
  await Promise.all([opened, tools, prompt]);
  assert.deepEqual((await sent(program, "session/prompt")).map(({ sessionId }) => sessionId), [
    "s2",
  ]);
  assert.equal(app.state.sessions.length, 2);
  assert.doesNotMatch(program.notices().join("\n"), /not connected/);
});

Deno.test("a command that needs the agent waits for its start", async () => {
  await using program = await openProgram([
    { expect: "initialize" },
    { respond: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { list: {} } } } },
    NEW,
    { respond: { sessionId: "s1" } },
    { expect: "session/list" },
    { respond: { sessions: [{ sessionId: "older" }] } },
  ]);
  const { app } = program;
  assert.equal(app.state.phase, "starting");
  await app.submit("/sessions");
  assert.match(program.outputs.at(-1) ?? "", /older/);
});

Deno.test("/new takes the place of what a start could not open", async () => {
  await using program = await openProgram([
    { expect: "initialize" },
    { respond: { protocolVersion: 1 } },
    NEW,
    { fail: { code: -32603, message: "not now" } },
    NEW,
    { respond: { sessionId: "s2" } },
    PROMPT,
    END_TURN,
    PROMPT,
    END_TURN,
  ]);
  const { app } = program;
  const before = app.submit("one");
  const opened = app.submit("/new");
  await Promise.all([opened, before]);
  assert.equal(app.state.sessions.length, 1);
  assert.deepEqual((await sent(program, "session/prompt")).map(({ sessionId }) => sessionId), [
    "s2",
  ]);
});

Deno.test("leaving while a session is being opened settles what was entered for it", async () => {
  await using program = await openProgram([...SECOND, { hang: true }]);
  const { app } = program;
  await app.startError;
  void app.submit("/new");
  await asked(program);
  const prompt = app.submit("too late");
  await app.submit("/exit");
  await Promise.all([prompt, app.done]);
  assert.deepEqual(await sent(program, "session/prompt"), []);
});
