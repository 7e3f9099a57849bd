/**
 * Killed in the middle of a write, and written by several at once: what is there can be read.
 *
 * @module
 */

import assert from "node:assert/strict";
import { directoryHistory } from "../../src/app/history.ts";
import { AgentMemory } from "../../src/app/memory.ts";
import { loadProjectRules } from "../../src/app/permission_memory.ts";
import { loadTrust } from "../../src/config/trust_store.ts";
import { DirectoryIndex } from "../../src/toolbox/directory_index.ts";
import { Random } from "../support/chaos/random.ts";
import { openSandbox } from "../support/run_main.ts";
import { runInShell } from "../support/run_in_shell.ts";

const source = (path: string) => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Writes one thing after the other until it is killed; `at` is a file or directory. */
const WRITERS: Readonly<Record<string, string>> = {
  history: `
    const { directoryHistory } = await import(${source("app/history.ts")});
    const history = directoryHistory(at, "/proj");
    for (let i = 0;; i++) { tell(i); await history.add("line " + i + " " + "x".repeat(5000)); }`,
  memory: `
    const { AgentMemory } = await import(${source("app/memory.ts")});
    const memory = new AgentMemory(at, "agent");
    for (let i = 0;; i++) { tell(i); await memory.rememberSession("s" + i, "/proj"); }`,
  trust: `
    const { rememberTrust } = await import(${source("config/trust_store.ts")});
    const record = { digest: "d", files: {}, permissions: {}, since: "" };
    for (let i = 0;; i++) { tell(i); await rememberTrust(at + "/trust.json", "/d" + i, record); }`,
  permissions: `
    const { PermissionMemory } = await import(${source("app/permission_memory.ts")});
    const memory = new PermissionMemory(at);
    const place = { session: memory, cwd: "/proj" };
    for (let i = 0;; i++) {
      tell(i);
      await memory.remember("project", [{ action: "allow", command: "make " + i }], place);
    }`,
  descriptions: `
    const { DirectoryIndex } = await import(${source("toolbox/directory_index.ts")});
    const index = new DirectoryIndex(at, "/proj/tools");
    const tools = [{ name: "a", description: "x".repeat(50_000), handler: true }];
    for (let i = 0;; i++) {
      tell(i);
      const file = { stamp: String(i), hash: "h", mentions: [] };
      await index.save(new Map([["a.ts", file]]), new Map([["a.ts", { key: "k", tools }]]));
    }`,
  agent: `
    const { registerFileWriting } = await import(${source("client/files.ts")});
    const { MethodRouter } = await import(${source("client/router.ts")});
    const router = new MethodRouter();
    registerFileWriting(router, { roots: () => [at] });
    const write = router.request("fs/write_text_file");
    for (let i = 0;; i++) {
      tell(i);
      const content = ("line " + i + "\\n").repeat(50_000);
      const { signal } = new AbortController();
      await write({ sessionId: "s", path: at + "/file.txt", content }, { requestId: i, signal });
    }`,
  trace: `
    const { openTraceFile } = await import(${source("transport/trace_file.ts")});
    const trace = openTraceFile(at + "/trace.ndjson", { maxBytes: 200_000 });
    for (let i = 0;; i++) { tell(i); trace.note("x".repeat(3000)); await null; }`,
};

/** Starts a writer and kills it after some of its writes. */
async function killWriting(what: string, at: string, after: number): Promise<void> {
  const script = `const at = ${JSON.stringify(at)};
    const tell = (i) => Deno.stdout.writeSync(new TextEncoder().encode(i + "\\n"));
    ${WRITERS[what]}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let told = "";
  while (told.split("\n").length <= after) {
    const { done, value } = await reader.read();
    assert.ok(!done, `the ${what} writer ended by itself`);
    told += value;
  }
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
}

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "mm-writing-" });
  try {
    await use(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Each was killed in its turn, and the next one could write all the same. */
async function killSeveralTimes(what: string, at: string): Promise<void> {
  const random = new Random(what.length);
  for (let round = 0; round < 5; round++) await killWriting(what, at, random.int(2, 40));
}

Deno.test("the history can be read and added to after kill -9 in the middle of writing", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("history", directory);
    const history = directoryHistory(directory, "/proj");
    const before = await history.load();
    assert.ok(before.length > 5, `${before.length} lines`);
    assert.ok(before.every((line) => /^line \d+ x{5000}$/.test(line)));
    await history.add("after");
    assert.deepEqual((await history.load()).slice(-2), [before.at(-1), "after"]);
  });
});

Deno.test("sessions are remembered after kill -9 in the middle of writing", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("memory", directory);
    const memory = new AgentMemory(directory, "agent");
    assert.ok((await memory.sessions("/proj")).length > 0);
    await memory.rememberSession("after", "/proj");
    assert.equal((await memory.sessions("/proj"))[0], "after");
  });
});

Deno.test("trust is whole after kill -9 in the middle of writing", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("trust", directory);
    const book = Object.values(await loadTrust(`${directory}/trust.json`));
    assert.ok(book.length > 5, `${book.length} records`);
    assert.ok(book.every(({ digest }) => digest === "d"));
  });
});

Deno.test("remembered answers are whole after kill -9 in the middle of writing", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("permissions", directory);
    const rules = await loadProjectRules(directory, "/proj");
    assert.ok(rules.length > 5, `${rules.length} rules`);
    assert.ok(
      rules.every(({ action, command }) => action === "allow" && /^make/.test(`${command}`)),
    );
  });
});

Deno.test("what tools say of themselves is whole after kill -9 in the middle of writing", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("descriptions", directory);
    const { files, descriptions } = new DirectoryIndex(directory, "/proj/tools");
    assert.deepEqual([...files.keys(), ...descriptions.keys()], ["a.ts", "a.ts"]);
  });
});

Deno.test("a file that the agent writes is the old one or the new one after kill -9", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("agent", directory);
    const lines = (await Deno.readTextFile(`${directory}/file.txt`)).trimEnd().split("\n");
    assert.equal(lines.length, 50_000);
    assert.equal(new Set(lines).size, 1);
  });
});

Deno.test("all but the last line of a trace are whole after kill -9", async () => {
  await inDirectory(async (directory) => {
    await killSeveralTimes("trace", directory);
    const lines = (await Deno.readTextFile(`${directory}/trace.ndjson`)).split("\n");
    lines.pop();
    assert.ok(lines.length > 0);
    for (const line of lines) JSON.parse(line);
  });
});

Deno.test("several programs in one directory keep everything that was entered", async () => {
  await using sandbox = await openSandbox();
  const count = 5;
  const runs = Array.from(
    { length: count },
    (_, index) => runInShell(sandbox, ["--agent", "demo"], { stdin: `echo number ${index}\n` }),
  );
  for (const { status, stderr } of await Promise.all(runs)) assert.equal(status, 0, stderr);
  const state = `${sandbox.home}/.local/state/mm-repl`;
  const lines = await directoryHistory(state, sandbox.project).load();
  const expected = Array.from({ length: count }, (_, index) => `echo number ${index}`);
  assert.deepEqual([...lines].sort(), expected);
});
