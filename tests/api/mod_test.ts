import assert from "node:assert/strict";
import { openClient } from "../../src/api/mod.ts";
import type { MessageEntry, ToolEntry } from "../../src/model/session.ts";
import { eventually } from "../support/scripted_agent.ts";
import { ROOT } from "../support/project.ts";
import { fakeToolbox } from "./toolboxes.ts";

/** The entry points of the package. */
const ENTRIES = ["src/api/mod.ts", "src/toolbox/tool.ts"];

async function deno(...args: string[]) {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT })
    .output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("the library needs no terminal code", async () => {
  for (const entry of ENTRIES) {
    const { stdout } = await deno("info", "--json", entry);
    const { modules } = JSON.parse(stdout) as { modules: { specifier: string }[] };
    const specifiers = modules.map(({ specifier }) => specifier);
    assert.ok(specifiers.some((specifier) => specifier.endsWith(entry)));
    assert.deepEqual(specifiers.filter((s) => /pi-tui|src\/(app|front|cli)\//.test(s)), []);
  }
});

Deno.test("importing the library starts nothing and prints nothing: it needs no permission", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, ENTRIES.map((path) => `import "${ROOT}/${path}";`).join("\n"));
    const run = await deno("run", "--no-prompt", "--quiet", "--no-check", file);
    assert.deepEqual(run, { success: true, stdout: "", stderr: "" });
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the embedded agent answers, calls a client tool and is ended", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const client = await openClient({
    spec: { kind: "demo" },
    cwd,
    openToolbox: (directory) => Promise.resolve(fakeToolbox(directory)),
    permissionPolicy: () => undefined,
  });
  try {
    const session = await client.newSession({ cwd });
    const entries = () => [...session.store.state.entries];
    const outcome = await session.prompt([{ type: "text", text: "hello" }]);
    assert.deepEqual(outcome, { ok: true, stopReason: "end_turn" });
    assert.ok(entries().some((e): e is MessageEntry => e.kind === "agent" && e.parts.length > 0));

    const turn = session.prompt([{ type: "text", text: "call where {}" }]);
    const asked = () => entries().find((e): e is ToolEntry => e.kind === "tool")?.permission;
    await eventually("the permission question", () => asked() !== undefined);
    const allow = asked()?.options.find(({ kind }) => kind === "allow_once");
    session.answerPermission(asked()?.requestId ?? "", allow?.optionId ?? null);
    assert.equal((await turn).ok, true);
    const call = entries().find((e): e is ToolEntry => e.kind === "tool");
    assert.equal(call?.status, "completed");
    assert.ok(JSON.stringify(call?.content).includes(cwd));
  } finally {
    await client.close();
    await Deno.remove(cwd, { recursive: true });
  }
  assert.match((await client.closed).reason, /closed/);
});

Deno.test("the embedded agent loads a session with its history", async () => {
  const cwd = await Deno.realPath(await Deno.makeTempDir());
  const client = await openClient({ spec: { kind: "demo" }, cwd });
  try {
    const first = await client.newSession({ cwd });
    await first.prompt([{ type: "text", text: "hello" }]);
    const again = await client.loadSession(first.id, { cwd });
    const entries = [...again.store.state.entries];
    assert.ok(entries.length >= 2);
    assert.ok(entries.every(({ history }) => history));
  } finally {
    await client.close();
    await Deno.remove(cwd, { recursive: true });
  }
});
