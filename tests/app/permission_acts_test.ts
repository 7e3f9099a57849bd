import assert from "node:assert/strict";
import type { PermissionRule } from "../../src/model/permission_rules.ts";
import { ask, END_TURN, eventually, HANDSHAKE, type Step } from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const OPTIONS = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

/** A session's directory with a secret, a link to it, and a plain file. */
async function place() {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${cwd}/secrets`);
  await Deno.writeTextFile(`${cwd}/secrets/key`, "KEY");
  await Deno.writeTextFile(`${cwd}/.env`, "A=1");
  await Deno.writeTextFile(`${cwd}/notes`, "notes");
  await Deno.symlink("secrets", `${cwd}/pub`);
  return { cwd, [Symbol.asyncDispose]: () => Deno.remove(cwd, { recursive: true }) };
}

type Acts = readonly (readonly [id: string, method: string, params: Record<string, unknown>])[];

const doing = (acts: Acts): Step[] => [
  ...HANDSHAKE,
  { expect: "session/prompt" },
  ...acts.flatMap(([id, method, params]): Step[] => [
    ask(id, method, params),
    { expectAnswer: id },
  ]),
  END_TURN,
];

const user = (...rules: PermissionRule[]) => ({
  permissionRules: rules.map((rule) => ({ ...rule, origin: "user" as const })),
});

async function outcome({ agent }: TestProgram, id: string): Promise<string> {
  const [answer] = await agent.answersTo(id);
  assert.ok(answer, id);
  return answer.error === undefined ? "done" : (answer.error as { message: string }).message;
}

async function choose({ app }: TestProgram, id: string) {
  await eventually(`a question with ${id}`, () => {
    return app.state.questions[0]?.options.some((option) => option.id === id) ?? false;
  });
  const [question] = app.state.questions;
  assert.ok(question);
  app.answer(question.id, { type: "option", id });
  return question;
}

Deno.test("the user's denies hold for files and commands that the agent has us touch", async () => {
  await using here = await place();
  const { cwd } = here;
  const read = (path: string) => ({ path: `${cwd}/${path}` });
  const acts: Acts = [
    ["env", "fs/read_text_file", read(".env")],
    ["write", "fs/write_text_file", { ...read(".env"), content: "HACKED" }],
    ["dots", "fs/read_text_file", read("secrets/../.env")],
    ["link", "fs/read_text_file", read("pub/key")],
    ["new", "fs/write_text_file", { ...read("pub/new"), content: "x" }],
    ["notes", "fs/read_text_file", read("notes")],
    ["line", "terminal/create", { command: "true && rm -f notes" }],
    ["words", "terminal/create", { command: "rm", args: ["-f", `${cwd}/notes`] }],
    ["behind", "terminal/create", { command: "sh", args: ["-c", "rm -f notes"] }],
    ["cat", "terminal/create", { command: "cat pub/key" }],
    ["from", "terminal/create", { command: "cat key", cwd: `${cwd}/secrets` }],
    ["echo", "terminal/create", { command: "echo hi" }],
  ];
  for (const permissions of ["ask", "allow"] as const) {
    await using program = await openProgram(doing(acts), {
      cwd,
      permissions,
      interactive: false,
      settings: user(
        { path: ".env", action: "deny" },
        { path: "secrets", action: "deny" },
        { command: "rm *", action: "deny" },
      ),
    });
    await program.app.submit("go");
    for (const id of ["notes", "echo"]) assert.equal(await outcome(program, id), "done", id);
    for (const [id] of acts.filter(([id]) => id !== "notes" && id !== "echo")) {
      assert.match(await outcome(program, id), /a permission rule denies it/, id);
    }
    assert.match(program.notices().join("\n"), /Refused to read .*\.env: deny path "\.env"/);
  }
  assert.equal(await Deno.readTextFile(`${cwd}/.env`), "A=1");
  assert.equal(await Deno.readTextFile(`${cwd}/notes`), "notes");
});

Deno.test("a rule that asks makes us ask about what the agent has us do", async () => {
  await using here = await place();
  const path = `${here.cwd}/notes`;
  await using program = await openProgram(
    doing([
      ["no", "fs/write_text_file", { path, content: "1" }],
      ["yes", "fs/write_text_file", { path, content: "2" }],
      ["read", "fs/read_text_file", { path }],
      ["run", "terminal/create", { command: "make all" }],
    ]),
    {
      cwd: here.cwd,
      permissions: "allow",
      settings: user({ kind: "edit", action: "ask" }, { command: "make *", action: "ask" }),
    },
  );
  const turn = program.app.submit("go");
  const question = await choose(program, "no");
  assert.match(question.title, /write a file/);
  assert.ok(question.body.includes(`write ${path}`), question.body.join("\n"));
  await choose(program, "yes");
  assert.match((await choose(program, "no")).body.join("\n"), /run make all/);
  await turn;
  assert.match(await outcome(program, "no"), /nobody agreed/);
  assert.equal(await outcome(program, "yes"), "done");
  assert.equal(await outcome(program, "read"), "done");
  assert.match(await outcome(program, "run"), /nobody agreed/);
  assert.equal(await Deno.readTextFile(path), "2");
});

Deno.test("a rule that asks refuses where nobody can be asked", async () => {
  await using here = await place();
  await using program = await openProgram(
    doing([["w", "fs/write_text_file", { path: `${here.cwd}/notes`, content: "1" }]]),
    { cwd: here.cwd, interactive: false, settings: user({ kind: "edit", action: "ask" }) },
  );
  await program.app.submit("go");
  assert.match(await outcome(program, "w"), /nobody agreed/);
  const { message, hint } = program.app.unanswered ?? {};
  assert.match(message ?? "", /^Refused to write .*notes: nobody can be asked, and "ask kind/);
  assert.match(hint ?? "", /a rule that allows it/);
});

Deno.test("what a person has just allowed is not asked again when the agent has us do it", async () => {
  await using here = await place();
  const path = `${here.cwd}/notes`;
  const call = (id: string, kind: string, rawInput: Record<string, unknown>): Acts[number] => [
    id,
    "session/request_permission",
    { toolCall: { toolCallId: id, kind, title: id, rawInput }, options: OPTIONS },
  ];
  await using program = await openProgram(
    doing([
      call("p1", "edit", { path }),
      ["w", "fs/write_text_file", { path, content: "1" }],
      call("p2", "execute", { command: "echo hi" }),
      ["t", "terminal/create", { command: "echo hi" }],
      ["env", "terminal/create", {
        command: "echo hi",
        env: [{ name: "LD_PRELOAD", value: "./x.so" }],
      }],
      ["in", "terminal/create", { command: "echo hi", cwd: `${here.cwd}/secrets` }],
      ["other", "fs/write_text_file", { path: `${here.cwd}/other`, content: "1" }],
    ]),
    {
      cwd: here.cwd,
      settings: user({ kind: "edit", action: "ask" }, { command: "echo *", action: "ask" }),
    },
  );
  const turn = program.app.submit("go");
  await choose(program, "yes");
  await choose(program, "yes");
  for (const more of ["with LD_PRELOAD=./x.so", `in ${here.cwd}/secrets`]) {
    const { body } = await choose(program, "no");
    assert.ok(body.includes("run echo hi") && body.includes(more), body.join("\n"));
  }
  const question = await choose(program, "no");
  assert.ok(question.body.includes(`write ${here.cwd}/other`));
  await turn;
  for (const id of ["w", "t"]) assert.equal(await outcome(program, id), "done", id);
});

Deno.test("a rule follows links when the agent asks, and never shows what it answers as a question", async () => {
  await using here = await place();
  const asking = (id: string, path: string): Acts[number] => [
    id,
    "session/request_permission",
    {
      toolCall: { toolCallId: id, kind: "read", title: id, rawInput: { path } },
      options: OPTIONS,
    },
  ];
  await using program = await openProgram(
    doing([asking("link", "pub/key"), asking("plain", "notes")]),
    {
      cwd: here.cwd,
      permissions: "allow",
      settings: user({ path: "secrets", action: "deny" }),
    },
  );
  let questions = 0;
  program.app.subscribe(() => questions += program.app.state.questions.length);
  await program.app.submit("go");
  const chosen = async (id: string) => (await program.agent.answersTo(id))[0]?.result;
  assert.deepEqual(await chosen("link"), { outcome: { outcome: "selected", optionId: "no" } });
  assert.deepEqual(await chosen("plain"), { outcome: { outcome: "selected", optionId: "yes" } });
  assert.equal(questions, 0);
});
