import assert from "node:assert/strict";
import { fuzzyFilter } from "../../src/app/fuzzy.ts";
import { ProjectFiles } from "../../src/app/project_files.ts";
import { HANDSHAKE, INITIALIZE, update } from "../support/scripted_agent.ts";
import { openProgram, type TestProgram } from "./program_support.ts";

async function labels({ app }: TestProgram, text: string): Promise<readonly string[]> {
  return (await app.complete(text, text.length)).items.map(({ label }) => label);
}

Deno.test("complete() proposes our commands and the agent's with their descriptions", async () => {
  const commands = update({
    sessionUpdate: "available_commands_update",
    availableCommands: [{ name: "model", description: "Theirs" }, {
      name: "moo",
      description: "M",
    }],
  });
  await using program = await openProgram([
    ...HANDSHAKE.slice(0, -1),
    { respondAfter: [commands], respond: { sessionId: "s1" } },
  ]);
  await program.app.startError;
  assert.deepEqual(await labels(program, "/mo"), ["/mode [id]", "/model [id]", "/moo", "//model"]);
  const { start, items } = await program.app.complete("/exi", 4);
  assert.equal(start, 0);
  assert.deepEqual(items[0], {
    insert: "/exit",
    label: "/exit",
    description: "End the agent and leave",
  });
});

Deno.test("complete() proposes the arguments of a command where they stand", async () => {
  await using program = await openProgram([
    ...INITIALIZE,
    { expect: "session/new" },
    {
      respond: {
        sessionId: "s1",
        modes: {
          currentModeId: "ask",
          availableModes: [{ id: "ask", name: "Ask" }, { id: "code", name: "Code" }],
        },
      },
    },
  ]);
  await program.app.startError;
  assert.deepEqual(await labels(program, "/mode c"), ["code"]);
  assert.equal((await program.app.complete("/mode c", 7)).start, 6);
  assert.deepEqual(await labels(program, "/tools "), ["reload", "trust", "call"]);
  assert.deepEqual(await labels(program, "/exit "), []);
});

Deno.test("complete() proposes files after an at sign, quoted where it must be", async () => {
  await using program = await openProgram(HANDSHAKE);
  const { directory } = program.agent;
  await Deno.mkdir(`${directory}/src`);
  await Deno.writeTextFile(`${directory}/src/my notes.txt`, "");
  await Deno.writeTextFile(`${directory}/main.ts`, "");
  await program.app.startError;
  const { start, items } = await program.app.complete("see @note", 9);
  assert.equal(start, 4);
  assert.deepEqual(items, [{ insert: '@"src/my notes.txt"', label: "src/my notes.txt" }]);
  assert.deepEqual(await labels(program, 'see @"my no'), ["src/my notes.txt"]);
  assert.deepEqual(await labels(program, "(@mai"), ["main.ts"]);
  assert.deepEqual(await labels(program, "me@mai"), []);
  assert.deepEqual(await labels(program, "/tmp/x is at @mai"), ["main.ts"]);
});

Deno.test("fuzzyFilter() puts whole words of the file's name first", () => {
  const names = ["src/app/mentions.ts", "main.ts", "docs/maintain.md", "a/m/a/i/n"];
  assert.deepEqual(fuzzyFilter("main", names, 10), ["main.ts", "docs/maintain.md", "a/m/a/i/n"]);
  assert.deepEqual(fuzzyFilter("apment", names, 10), ["src/app/mentions.ts"]);
});

Deno.test("ProjectFiles leaves out what git ignores, and runs nothing that a repository names", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const git = (...args: string[]) =>
      new Deno.Command("git", { args, cwd: dir, stdout: "null", stderr: "null" }).output();
    await git("init");
    await git("config", "core.fsmonitor", `touch ${dir}/ran; false`);
    await Deno.mkdir(`${dir}/src`);
    await Deno.writeTextFile(`${dir}/.gitignore`, "ignored\n");
    for (const name of ["ignored", "kept", "src/é.ts"]) {
      await Deno.writeTextFile(`${dir}/${name}`, "");
    }
    const files = [...await new ProjectFiles().list(dir)].sort();
    assert.deepEqual(files, [".gitignore", "kept", "src/", "src/é.ts"]);
    await assert.rejects(Deno.stat(`${dir}/ran`));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("ProjectFiles walks a directory without git and leaves hidden and built files out", async () => {
  const dir = await Deno.makeTempDir();
  try {
    for (const folder of ["node_modules", ".hidden", "a/b"]) {
      await Deno.mkdir(`${dir}/${folder}`, { recursive: true });
      await Deno.writeTextFile(`${dir}/${folder}/file`, "");
    }
    assert.deepEqual(await new ProjectFiles().list(dir), ["a/", "a/b/", "a/b/file"]);
    assert.deepEqual(await new ProjectFiles().list(`${dir}/nowhere`), []);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
