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
async function withTools(
  steps: readonly Step[],
  interactive: boolean,
  files: { readonly [name: string]: string } = {},
): Promise<TestProgram & { readonly directory: string }> {
  const directory = await Deno.makeTempDir({ prefix: "mm-app-tools-" });
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${directory}/${name}`, text);
  }
  await Deno.writeTextFile(`${directory}/hello.ts`, TOOL);
  await Deno.writeTextFile(`${directory}/broken.ts`, "export const x: = 1;\n");
  const program = await openProgram(steps, {
    interactive,
    toolDirectories: () => [{ path: directory, origin: "project" }],
  });
  return {
    ...program,
    directory,
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
  await eventually("the trust question", () => app.state.questions.length === 1);
  assert.equal(app.state.unopened, false, "the session is only opened again");
  await answer(program, "once");
  await trusting;
  assert.equal(app.state.tools, 1);
  assert.match(program.notices().at(-1) ?? "", /1 offered/);
  await app.submit("still here");
  assert.equal(app.state.active.state.lastOutcome?.ok, true);
});

Deno.test("/tools says of tools that ask for more than was agreed to that they are not run", async () => {
  const source = (permissions: string) =>
    `export const description = "x";\nexport const permissions = ${permissions};\nexport const handler = () => "hi";`;
  await using program = await withTools([...INITIALIZE, ...OPEN], true, {
    "grows.ts": source("{}"),
  });
  const { app } = program;
  await answer(program, "session_edits");
  await app.startError;
  await Deno.writeTextFile(`${program.directory}/grows.ts`, source("{ net: true }"));
  await app.submit("/tools call grows");
  await app.submit("/tools");
  const table = program.outputs.at(-1) ?? "";
  assert.match(table, /`grows` .*\| not run until you agree; asks for: use the network: any \|/);
  assert.match(table, /`hello` .*\| run programs: git \|/);
  assert.match(table, /Not run until you agree:\n\n- .* has changed since you agreed/);
  assert.doesNotMatch(table, /is not trusted/);
});

Deno.test("without a person untrusted tools are left out and one line says so", async () => {
  await using program = await withTools([...INITIALIZE, ...OPEN], false);
  assert.equal(await program.app.startError, undefined);
  assert.equal(program.app.state.tools, 0);
  const lines = program.notices().filter((text) => text.includes("--trust-tools"));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /is not trusted; mm-repl tools trust \/\S+ asks/);
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

Deno.test("an answer holds for the run: sessions and reloads after it ask nothing", async (t) => {
  for (const id of ["once", "session_edits"]) {
    await t.step(id, async () => {
      await using program = await withTools([
        ...ABLE,
        ...OPEN,
        { expect: "session/new" },
        { respond: { sessionId: "s2" } },
        { expect: "session/resume" },
        { respond: {} },
      ], true);
      const { app } = program;
      await answer(program, id);
      await app.startError;
      await app.submit("/new");
      assert.deepEqual(app.state.active.state.sessionId, "s2");
      assert.equal(app.state.tools, 1);
      await app.submit("/tools reload");
      assert.equal(app.state.tools, 1);
      assert.deepEqual(app.state.questions, []);
    });
  }
});

Deno.test("/tools reload leaves a session as it was that the agent does not open again", async () => {
  await using program = await withTools([
    ...ABLE,
    ...OPEN,
    { expect: "session/resume" },
    { fail: { code: -32603, message: "it is open already" } },
    { expect: "session/prompt" },
    END_TURN,
  ], true);
  const { app } = program;
  await answer(program, "once");
  await app.startError;
  await app.submit("/tools reload");
  assert.match(
    program.notices().join("\n"),
    /learns of new tools and descriptions with the next \/new session \| .*it is open already/,
  );
  assert.equal(app.state.tools, 1);
  await app.submit("still here");
  assert.equal(app.state.active.state.lastOutcome?.ok, true);
});

Deno.test("/tools call runs a tool for the person, and shows what it says and gives", async () => {
  await using program = await withTools([...INITIALIZE, ...OPEN], true, {
    "greet.ts": `export const description = "Greets.";
      export const inputSchema = {
        type: "object", properties: { name: { type: "string" } }, required: ["name"],
      };
      export function handler({ name }: { name: string }, ctx: { progress(text: string): void }) {
        ctx.progress("looking up " + name);
        return "Hello, " + name;
      }`,
    "waits.ts": `export const description = "Waits.";
      export function handler(_: unknown, ctx: { log(text: string): void }) {
        ctx.log("waiting");
        return new Promise(() => {});
      }`,
  });
  const { app } = program;
  await answer(program, "once");
  await app.startError;
  const command = () => {
    const { entries, terminals } = app.state.active.state;
    const entry = [...entries].findLast(({ kind }) => kind === "command");
    assert.ok(entry?.kind === "command");
    const { output, exit } = terminals[entry.terminalId] ?? {};
    return { command: entry.command, output, exitCode: exit?.exitCode };
  };
  await app.submit(`/tools call greet name=12`);
  assert.deepEqual(command(), {
    command: "/tools call greet name=12",
    output: "progress: looking up 12\nHello, 12\n",
    exitCode: 0,
  });
  await app.submit(`/tools call client_greet {"nam": 1}`);
  assert.match(command().output ?? "", /^greet was not called, .*"name" is missing\n$/);
  assert.equal(command().exitCode, null);
  const waiting = app.submit("/tools call waits");
  await eventually("the call runs", () => command().output === "log: waiting\n");
  assert.ok(app.stopCommand());
  await waiting;
  assert.deepEqual(command().output, "log: waiting\nThe call was cancelled.\n");
  assert.equal(app.stopCommand(), false);
  await app.submit("/tools call nothing");
  await app.submit("/tools call");
  assert.match(
    program.notices().join("\n"),
    /Cannot call nothing: there is no such tool .*There are: .*\nCannot call a tool without/,
  );
});

Deno.test("/tools tells what the agent says about the tools", async () => {
  await using program = await withTools([
    ...INITIALIZE,
    { stderr: "[acp] client tools (meta): client_other\n[acp] client tools: the list failed\n" },
    ...OPEN,
  ], true);
  const { app } = program;
  await answer(program, "once");
  await app.startError;
  await eventually("the notice", () => program.notices().join().includes("the list failed"));
  await app.submit("/tools");
  const [, said = ""] = program.outputs.at(-1)?.split("At the agent:") ?? [];
  assert.match(said, /the list failed.*\n- it does not have hello\n- it has not asked/);
});
