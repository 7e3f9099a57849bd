import assert from "node:assert/strict";
import { END_TURN, eventually, INITIALIZE, type Step } from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const TOOL = `export const description = "Says hi.";
export const permissions = { run: ["git"] };
export const handler = () => "hi";
`;

const OPEN: Step[] = [{ expect: "session/new" }, { respond: { sessionId: "s1" } }];
const ABLE: Step[] = [
  { expect: "initialize" },
  {
    respond: { protocolVersion: 1, agentCapabilities: { sessionCapabilities: { resume: {} } } },
  },
];

/** A program whose session's directory has one tool and one file that is none. */
async function withTools(steps: readonly Step[], interactive: boolean): Promise<TestProgram> {
  const directory = await Deno.makeTempDir({ prefix: "mm-app-tools-" });
  await Deno.writeTextFile(`${directory}/hello.ts`, TOOL);
  await Deno.writeTextFile(`${directory}/broken.ts`, "export const x: = 1;\n");
  const program = await openProgram(steps, {
    interactive,
    toolDirectories: () => [{ path: directory, origin: "project" }],
  });
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

async function answer({ app }: TestProgram, id: string): Promise<void> {
  await eventually("the trust question", () => app.state.questions.length === 1);
  app.answer(app.state.questions[0]?.id ?? "", { type: "option", id });
}

Deno.test("a person is asked before the tools of a project are offered, with their permissions", async () => {
  await using program = await withTools([...INITIALIZE, ...OPEN], true);
  const { app } = program;
  await eventually("the trust question", () => app.state.questions.length === 1);
  assert.match(
    app.state.questions[0]?.body.join("\n") ?? "",
    /hello: run programs: git\n.*full access/,
  );
  await answer(program, "once");
  assert.equal(await app.startError, undefined);
  assert.equal(app.state.tools, 1);
  assert.match(program.notices().join("\n"), /Tool left out: .*broken\.ts/);
  await app.submit("/tools");
  assert.match(
    program.outputs[0] ?? "",
    /`hello` \| `client_hello` \| Says hi\. \| run programs: git/,
  );
});

Deno.test("/tools trust asks again about what was left out, and opens the session again", async () => {
  const resume: Step[] = [{ expect: "session/resume" }, { respond: {} }];
  await using program = await withTools([
    ...ABLE,
    ...OPEN,
    ...resume,
    { expect: "session/prompt" },
    END_TURN,
  ], true);
  const { app } = program;
  await answer(program, "no");
  await app.startError;
  assert.equal(app.state.tools, 0);
  assert.match(program.notices().join("\n"), /is not trusted; \/tools trust asks/);
  const trusting = app.submit("/tools trust");
  await answer(program, "once");
  await trusting;
  assert.equal(app.state.tools, 1);
  assert.match(program.notices().at(-1) ?? "", /1 offered/);
  await app.submit("still here");
  assert.equal(app.state.active.state.lastOutcome?.ok, true);
});

Deno.test("without a person untrusted tools are left out and one line says so", async () => {
  await using program = await withTools([...INITIALIZE, ...OPEN], false);
  assert.equal(await program.app.startError, undefined);
  assert.equal(program.app.state.tools, 0);
  const lines = program.notices().filter((text) => text.includes("--trust-tools"));
  assert.equal(lines.length, 1);
});

Deno.test("tools are offered to the agent only where there are directories for them", async () => {
  const offered = async (program: TestProgram) => {
    assert.equal(await program.app.startError, undefined);
    const [initialize] = await program.agent.received();
    return JSON.stringify(initialize).includes("org.mini-me/tools");
  };
  {
    await using program = await withTools([...INITIALIZE, ...OPEN], false);
    assert.equal(await offered(program), true);
  }
  await using program = await openProgram([...INITIALIZE, ...OPEN]);
  assert.equal(await offered(program), false);
});
