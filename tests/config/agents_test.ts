import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { agentNotFound, resolveAgent } from "../../src/config/agents.ts";
import { BUILTIN_AGENTS } from "../../src/config/builtin_agents.ts";
import { splitCommandLine } from "../../src/config/command_line.ts";

const SPLITS: readonly (readonly [string, readonly string[]])[] = [
  ["mm -acp", ["mm", "-acp"]],
  ["  a \t b\n", ["a", "b"]],
  [`sh -c 'echo "x" >&2; exit 1'`, ["sh", "-c", 'echo "x" >&2; exit 1']],
  [`"a b"c 'd'"e"`, ["a bc", "de"]],
  [`a\\ b "c\\"d\\e\\\\" 'f\\'`, ["a b", 'c"d\\e\\', "f\\"]],
  [`'' a ""`, ["", "a", ""]],
  ["$HOME ~ *.ts $(x)", ["$HOME", "~", "*.ts", "$(x)"]],
  [`'a'"'"'b'`, ["a'b"]],
  ["é 'ü ß'", ["é", "ü ß"]],
  ["", []],
];

for (const [line, words] of SPLITS) {
  Deno.test(`splitCommandLine() splits ${JSON.stringify(line)}`, () => {
    assert.deepEqual(splitCommandLine(line), words);
  });
}

for (const line of ["a 'b", 'a "b', 'a "b\\"', "a \\"]) {
  Deno.test(`splitCommandLine() refuses ${JSON.stringify(line)}`, () => {
    assert.throws(() => splitCommandLine(line), { code: "usage" });
  });
}

const at = (settings = {}, words: readonly string[] = []) => ({ settings, base: "/b", words });

Deno.test("resolveAgent() knows every built-in agent by name", () => {
  for (const [name, row] of Object.entries(BUILTIN_AGENTS)) {
    const { spec, setting } = resolveAgent(name, at());
    assert.deepEqual(spec, { kind: "process", command: row.command, args: row.args });
    assert.equal(setting.fs, row.fs);
  }
  assert.deepEqual(resolveAgent("demo", at()).spec, { kind: "demo" });
});

Deno.test("resolveAgent() prefers the configuration's row, and completes it by the built-in one", () => {
  const settings = {
    agents: {
      mm: { model: "m" },
      mine: { command: "./run", args: ["-x"], env: { A: "x\ny" }, mode: "plan" },
      far: { url: "ws://127.0.0.1:1", headers: { A: "b" } },
      demo: { command: "other" },
    },
  };
  const mm = resolveAgent("mm", at(settings));
  assert.deepEqual(mm.spec, { kind: "process", command: "mm", args: ["-acp"] });
  assert.equal(mm.setting.model, "m");
  assert.deepEqual(resolveAgent("mine", at(settings)).spec, {
    kind: "process",
    command: "/b/run",
    args: ["-x"],
    env: { A: "x\ny" },
  });
  assert.deepEqual(resolveAgent("far", at(settings)).spec, {
    kind: "remote",
    url: "ws://127.0.0.1:1",
    headers: { A: "b" },
  });
  assert.equal(resolveAgent("demo", at(settings)).spec.kind, "process");
});

Deno.test("resolveAgent() takes anything else as a command line and adds further words", () => {
  assert.deepEqual(resolveAgent("./a.sh 'b c'", at({}, ["-d"])).spec, {
    kind: "process",
    command: "/b/a.sh",
    args: ["b c", "-d"],
  });
  assert.deepEqual(resolveAgent("mm", at({}, ["-v"])).spec, {
    kind: "process",
    command: "mm",
    args: ["-acp", "-v"],
  });
  assert.deepEqual(resolveAgent("mm", at({}, ["-acp", "-v"])).spec, {
    kind: "process",
    command: "mm",
    args: ["-acp", "-v"],
  });
  assert.throws(() => resolveAgent(" ", at()), { code: "usage" });
  assert.throws(() => resolveAgent("demo", at({}, ["x"])), { code: "usage" });
});

Deno.test("agentNotFound() says how to get a built-in agent, and what a mistyped one may mean", () => {
  const error = (name: string) => agentNotFound(resolveAgent(name, at()), {});
  assert.match(error("qwen").hint ?? "", /npm install/);
  assert.match(error("opncode").hint ?? "", /--agent opencode/);
  assert.match(error("xyzzy").hint ?? "", /Known agents: mm, /);
  assert.match(error("mm").hint ?? "", /Install mini-me.* --agent demo\.$/);
  assert.ok(error("mm") instanceof MmError);
  assert.equal(error("mm").exit, 3);
});
