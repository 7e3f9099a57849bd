import assert from "node:assert/strict";
import { PermissionMemory } from "../../src/app/permission_memory.ts";
import { ask, END_TURN, eventually, HANDSHAKE, type Step } from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

const RULE = { action: "allow", command: "ls", literal: true, origin: "remembered" } as const;

const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "never", name: "Never", kind: "reject_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

/** A turn in which the agent asks to run a command, once for each id. */
const asking = (command: string, ...ids: readonly string[]): Step[] => [
  { expect: "session/prompt" },
  ...ids.flatMap((id): Step[] => [
    ask(id, "session/request_permission", {
      toolCall: { toolCallId: id, kind: "execute", title: command, rawInput: { command } },
      options: OPTIONS,
    }),
    { expectAnswer: id },
  ]),
  END_TURN,
];

/** Answers the next question with the option of this id. */
async function choose({ app }: TestProgram, id: string, kind = "choice") {
  await eventually(`a question with ${id}`, () => app.state.questions[0]?.kind === kind);
  const [question] = app.state.questions;
  assert.ok(question);
  assert.ok(question.options.some((option) => option.id === id), JSON.stringify(question));
  app.answer(question.id, { type: "option", id });
  return question;
}

async function chosen({ agent }: TestProgram, id: string) {
  const [answer] = await agent.answersTo(id);
  return (answer?.result as { outcome: { optionId?: string } }).outcome.optionId;
}

Deno.test("PermissionMemory keeps a session's answers apart and a project's between runs", async () => {
  const dir = await Deno.makeTempDir();
  const memory = new PermissionMemory(dir);
  const [one, other] = [{ session: {}, cwd: "/a" }, { session: {}, cwd: "/b" }];
  await memory.remember("session", [RULE], one);
  await memory.remember("project", [{ ...RULE, command: "make" }], one);
  assert.deepEqual(memory.list(one).map(({ scope }) => scope), ["session", "project"]);
  assert.deepEqual(memory.list(other), []);
  const later = new PermissionMemory(dir);
  await later.load();
  assert.deepEqual(later.rules({ session: {}, cwd: "/a" }).map(({ command }) => command), ["make"]);
  assert.equal(((await Deno.stat(`${dir}/permissions.json`)).mode ?? 0) & 0o777, 0o600);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("PermissionMemory lets a later answer take the place of an earlier one", async () => {
  const dir = await Deno.makeTempDir();
  const memory = new PermissionMemory(dir);
  const place = { session: {}, cwd: "/a" };
  for (const scope of ["session", "project"] as const) {
    await memory.remember(scope, [RULE], place);
    await memory.remember(scope, [{ ...RULE, action: "deny" }], place);
  }
  assert.deepEqual(memory.rules(place).map(({ action }) => action), ["deny", "deny"]);
  for (const answer of memory.list(place)) await memory.forget(answer, place);
  assert.deepEqual(memory.list(place), []);
  await Deno.remove(dir, { recursive: true });
});

Deno.test("PermissionMemory takes a damaged file for an empty one", async () => {
  const dir = await Deno.makeTempDir();
  for (const text of ["{", "[]", '{"/a": [{"action": "allow"}], "/b": 3}']) {
    await Deno.writeTextFile(`${dir}/permissions.json`, text);
    const memory = new PermissionMemory(dir);
    await memory.load();
    assert.deepEqual(memory.rules({ session: {}, cwd: "/a" }), [], text);
  }
  await Deno.remove(dir, { recursive: true });
});

Deno.test("an answer that is to last is remembered when the person says so, and revoked", async () => {
  await using program = await openProgram([
    ...HANDSHAKE,
    ...asking("npm test", "p1"),
    ...asking("npm test", "p3"),
    ...asking("npm test", "p4"),
  ]);
  const { app } = program;
  const first = app.submit("go");
  await choose(program, "always", "permission");
  await first;
  assert.deepEqual(app.state.questions, [], "a lasting answer asks nothing more");
  await app.submit("/permissions remember session");
  assert.match(
    program.notices().join(),
    /for this session: allow kind "execute", command "npm test"/,
  );
  await app.submit("go");
  assert.equal(await chosen(program, "p3"), "yes");
  await app.submit("/permissions");
  assert.match(program.outputs.at(-1) ?? "", /1\. `allow kind "execute".*, for this session/);
  await app.submit("/permissions forget 1");
  const last = app.submit("go");
  await choose(program, "no", "permission");
  await last;
  assert.equal(await chosen(program, "p4"), "no");
});

Deno.test("an answer for the project counts in later runs, and never before the user's own rules", async () => {
  const cwd = await Deno.makeTempDir();
  const stateDir = await Deno.makeTempDir();
  const paths = { configDir: stateDir, stateDir, cacheDir: stateDir };
  {
    await using program = await openProgram([...HANDSHAKE, ...asking("npm test", "p1")], {
      cwd,
      paths,
    });
    const turn = program.app.submit("go");
    await choose(program, "never", "permission");
    await turn;
    await program.app.submit("/permissions remember");
  }
  {
    await using program = await openProgram([...HANDSHAKE, ...asking("npm test", "p2")], {
      cwd,
      paths,
    });
    await program.app.submit("go");
    assert.equal(await chosen(program, "p2"), "no");
  }
  {
    await using program = await openProgram([...HANDSHAKE, ...asking("npm test", "p3")], {
      cwd,
      paths,
      settings: { permissionRules: [{ command: "npm *", action: "allow" }] },
    });
    await program.app.submit("go");
    assert.equal(await chosen(program, "p3"), "yes");
  }
  await Deno.remove(cwd, { recursive: true });
  await Deno.remove(stateDir, { recursive: true });
});

Deno.test("no remembered yes outranks a deny of the user's own, nor does --permissions allow", async () => {
  const cwd = await Deno.makeTempDir();
  const stateDir = await Deno.makeTempDir();
  const memory = new PermissionMemory(stateDir);
  await memory.remember("project", [{ ...RULE, command: "npm test" }], { session: {}, cwd });
  {
    await using program = await openProgram([...HANDSHAKE, ...asking("npm test", "p1")], {
      cwd,
      paths: { configDir: stateDir, stateDir, cacheDir: stateDir },
      permissions: "allow",
      settings: { permissionRules: [{ command: "npm *", action: "deny", origin: "user" }] },
    });
    await program.app.submit("go");
    assert.equal(await chosen(program, "p1"), "no");
  }
  await Deno.remove(cwd, { recursive: true });
  await Deno.remove(stateDir, { recursive: true });
});

Deno.test("a choice that is meant once is not remembered, whoever asks for it", async () => {
  await using program = await openProgram([...HANDSHAKE, ...asking("npm test", "p1")]);
  const turn = program.app.submit("go");
  await choose(program, "yes", "permission");
  await turn;
  await program.app.submit("/permissions remember");
  assert.match(program.notices().at(-1) ?? "", /none was given that is meant to last/);
  await program.app.submit("/permissions");
  assert.doesNotMatch(program.outputs.at(-1) ?? "", /Remembered/);
});

Deno.test("a file outside the session's directory is allowed once, for the session, or by a rule", async () => {
  const outside = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(`${outside}/a.txt`, "text");
  const reading = (id: string, path: string): Step[] => [
    ask(id, "fs/read_text_file", { path: `${outside}/${path}` }),
    { expectAnswer: id },
  ];
  await using program = await openProgram([
    ...HANDSHAKE,
    { expect: "session/prompt" },
    ...reading("r1", "a.txt"),
    ...reading("r2", "a.txt"),
    ...reading("r3", "a.txt"),
    ...reading("r4", "secret"),
    END_TURN,
  ], {
    settings: { permissionRules: [{ path: `${outside}/secret`, action: "deny", origin: "user" }] },
  });
  const turn = program.app.submit("go");
  const first = await choose(program, "once");
  assert.match(first.title, /read a file outside/);
  assert.deepEqual(first.body, [`${outside}/a.txt`]);
  await choose(program, "session");
  await turn;
  for (const id of ["r1", "r2", "r3"]) {
    assert.deepEqual((await program.agent.answersTo(id))[0]?.result, { content: "text" });
  }
  assert.notEqual((await program.agent.answersTo("r4"))[0]?.error, undefined);
  await Deno.remove(outside, { recursive: true });
});

Deno.test("a file outside is refused without a question where that is the default, or a rule, and it is said", async () => {
  const rule = { path: "/etc/host*", action: "deny", origin: "user" } as const;
  for (
    const [how, why] of [
      [
        { permissions: "deny" },
        /Refused to read .*: permissions are set to deny about a file outside/,
      ],
      [{ settings: { permissionRules: [rule] } }, /Refused to read .*: deny path/],
    ] as const
  ) {
    await using program = await openProgram([
      ...HANDSHAKE,
      { expect: "session/prompt" },
      ask("r", "fs/read_text_file", { path: "/etc/hostname" }),
      { expectAnswer: "r" },
      END_TURN,
    ], how);
    await program.app.submit("go");
    assert.notEqual((await program.agent.answersTo("r"))[0]?.error, undefined);
    assert.match(program.notices().join("\n"), why);
  }
});
