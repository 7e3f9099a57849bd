import assert from "node:assert/strict";
import { COMPLETION_SHELLS, loadCompletionTree } from "../../src/cli/completion.ts";
import { rootCommand } from "../../src/cli/root.ts";
import { openSandbox, runMain } from "../support/run_main.ts";

const tree = await loadCompletionTree("mm-repl", rootCommand);

for (const [name, shell] of Object.entries(COMPLETION_SHELLS)) {
  Deno.test(`the ${name} script names every subcommand and flag`, () => {
    const script = shell.render(tree);
    for (const child of tree.children) assert.ok(script.includes(child.name), child.name);
    for (const flag of tree.flags) assert.ok(script.includes(flag.name), flag.name);
  });
}

Deno.test("main completions prints the script of each shell", async () => {
  await using sandbox = await openSandbox();
  for (const [name, shell] of Object.entries(COMPLETION_SHELLS)) {
    const run = await runMain(sandbox, ["completions", name]);
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.equal(run.stdout.trim(), shell.render(tree).trim());
  }
});

async function completeInBash(...words: readonly string[]): Promise<string[]> {
  const script = `${COMPLETION_SHELLS.bash?.render(tree)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mm_repl
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["--norc", "-c", script, "bash", ...words],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

Deno.test("the bash script completes subcommands, flags and their values", async () => {
  assert.deepEqual(await completeInBash("mm-repl", "doc"), ["doctor"]);
  assert.deepEqual(await completeInBash("mm-repl", "config", "sch"), ["schema"]);
  assert.deepEqual(await completeInBash("mm-repl", "--trus"), ["--trust-tools"]);
  assert.deepEqual(await completeInBash("mm-repl", "--output", "s"), ["stream-json"]);
  assert.deepEqual(await completeInBash("mm-repl", "--agent", "op"), ["opencode"]);
  assert.deepEqual(await completeInBash("mm-repl", "agent", "--max"), ["--max-output"]);
  assert.deepEqual(await completeInBash("mm-repl", "--model", ""), []);
});
