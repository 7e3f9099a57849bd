import assert from "node:assert/strict";
import {
  END_TURN,
  eventually,
  HANDSHAKE,
  PROMPT,
  say,
  type Step,
  update,
} from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const OPENED: Step[] = [{ expect: "session/new" }, { respond: { sessionId: "s1" } }];
const turn = (text: string): Step[] => [PROMPT, say(text), END_TURN];

const initialize = (agentCapabilities: unknown): Step[] => [
  { expect: "initialize" },
  { respond: { protocolVersion: 1, agentCapabilities } },
];

async function prompts({ agent }: TestProgram) {
  return (await agent.received()).filter(({ method }) => method === "session/prompt")
    .map(({ params }) => (params as { prompt: { text: string }[] }).prompt[0]?.text);
}

async function lost({ app }: TestProgram): Promise<void> {
  await eventually("the loss is seen", () => app.state.phase === "disconnected");
}

const DEATHS: readonly (readonly [string, Step, RegExp])[] = [
  ["is killed", { die: "SIGKILL" }, /SIGKILL/],
  ["ends with a status", { exit: 3 }, /status 3/],
  ["closes its output", { closeStdout: true }, /closed its output/],
];

for (const [how, death, cause] of DEATHS) {
  Deno.test(`an agent that ${how} in a turn gets nothing again without the person's word`, async () => {
    const resuming = initialize({ sessionCapabilities: { resume: {} } });
    await using program = await openProgram(
      [...resuming, ...OPENED, ...turn("before"), PROMPT, say("half of"), death],
      {
        laterRuns: [[
          ...resuming,
          { expect: "session/resume" },
          { respond: {} },
          ...turn("queued"),
          ...turn("again"),
        ]],
      },
    );
    const { app } = program;
    await app.submit("first");
    const broken = app.submit("second");
    const queued = app.submit("third");
    await broken;
    await lost(program);
    assert.match(program.notices().join("\n"), cause);
    assert.match(program.notices().join("\n"), /1 queued prompt is kept/);
    assert.deepEqual(program.texts("agent"), ["before", "half of"]);
    await app.submit("");
    assert.equal(app.state.phase, "ready");
    assert.deepEqual(app.state.queue, ["third"]);
    assert.deepEqual(await prompts(program), ["first", "second"]);
    await app.submit("");
    await queued;
    await app.submit("/retry");
    assert.deepEqual(await prompts(program), ["first", "second", "third", "third"]);
    assert.deepEqual(program.texts("agent"), ["before", "half of", "queued", "again"]);
    assert.equal((await program.agent.pids()).length, 2);
  });
}

Deno.test("a prompt entered between the death of the agent and the word of it is kept and sent once", async () => {
  const resuming = initialize({ sessionCapabilities: { resume: {} } });
  await using program = await openProgram(
    [...resuming, ...OPENED, PROMPT, { die: "SIGKILL" }],
    {
      laterRuns: [[
        ...resuming,
        { expect: "session/resume" },
        { respond: {} },
        ...turn("at your service"),
      ]],
    },
  );
  const { app } = program;
  await app.submit("go");
  assert.equal(app.state.phase, "ready");
  const kept = app.submit("once more");
  await lost(program);
  await eventually("it waits again", () => app.state.queue.length === 1);
  assert.deepEqual(program.texts("user"), ["go"]);
  await app.submit("");
  await kept;
  assert.deepEqual(await prompts(program), ["go", "once more"]);
  assert.deepEqual(program.texts("agent"), ["at your service"]);
});

Deno.test("an agent that can only load is started again with its history, which is not shown twice", async () => {
  const loading = initialize({ loadSession: true });
  await using program = await openProgram([...loading, ...OPENED, ...turn("once")], {
    laterRuns: [[
      ...loading,
      { expect: "session/load" },
      {
        send: update({
          sessionUpdate: "user_message_chunk",
          content: { type: "text", text: "go" },
        }),
      },
      say("once"),
      { respond: {} },
      ...turn("more"),
    ]],
  });
  const { app } = program;
  await app.submit("go");
  await app.submit("/restart");
  await app.submit("on");
  assert.deepEqual(program.texts("user"), ["go", "on"]);
  assert.deepEqual(program.texts("agent"), ["once", "more"]);
});

Deno.test("a prompt for a session that cannot be resumed goes to the /new one", async () => {
  const resuming = initialize({ sessionCapabilities: { resume: {} } });
  await using program = await openProgram([...resuming, ...OPENED, { exit: 1 }], {
    laterRuns: [[
      ...resuming,
      { expect: "session/resume" },
      { fail: { code: -32002, message: "Resource not found" } },
      { expect: "session/new" },
      { respond: { sessionId: "s2" } },
      PROMPT,
      say("here", "s2"),
      END_TURN,
    ]],
  });
  const { app } = program;
  await app.startError;
  await lost(program);
  await app.submit("/restart");
  const kept = app.submit("kept");
  assert.match(
    program.notices().join("\n"),
    /The prompt is kept.*\/new opens a session and sends it/,
  );
  assert.equal(app.state.unopened, true);
  await app.submit("/status");
  assert.match(program.outputs.at(-1) ?? "", /session *\| none \(s1 is not open at the agent\)/);
  await app.submit("/new");
  await kept;
  assert.equal(app.state.active.state.sessionId, "s2");
  assert.equal(app.state.unopened, false);
  assert.deepEqual(app.state.queue, []);
  assert.deepEqual(program.texts("agent"), ["here"]);
});

Deno.test("an agent that dies in a turn has its last words told once, and no older ones", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    { stderr: "old trouble\n" },
    ...turn("1"),
    PROMPT,
    { stderr: "boom\n" },
    { exit: 9 },
  ], { laterRuns: [[...HANDSHAKE, { stderr: "boom again\n" }, { exit: 8 }]] });
  const { app } = program;
  await app.submit("a");
  await eventually("it is heard", () => app.state.active.state.turn.state === "idle");
  await app.submit("b");
  await lost(program);
  await eventually(
    "it is said",
    () => program.notices().some((line) => /starts the agent/.test(line)),
  );
  const said = program.notices().join("\n");
  assert.equal(said.split("boom").length - 1, 1, said);
  assert.doesNotMatch(said, /old trouble/);
  await app.submit("");
  await lost(program);
  await eventually("the next is said", () => /boom again/.test(program.notices().join("\n")));
});

Deno.test("an agent that dies between turns says why, and a prompt typed then waits for Enter", async () => {
  await using program = await openProgram([...HANDSHAKE, ...turn("1"), { stderr: "boom\n" }, {
    exit: 9,
  }], {
    laterRuns: [[...HANDSHAKE, ...turn("2")]],
  });
  const { app } = program;
  await app.submit("a");
  await lost(program);
  assert.match(program.notices().join("\n"), /status 9[^]*boom/);
  const kept = app.submit("b");
  assert.match(program.notices().join("\n"), /The prompt is kept/);
  assert.deepEqual(await prompts(program), ["a"]);
  await app.submit("");
  await kept;
  assert.match(program.notices().join("\n"), /cannot resume sessions: this is a new one/);
  assert.deepEqual(await prompts(program), ["a", "b"]);
  assert.deepEqual(program.texts("agent"), ["1", "2"]);
});
