import assert from "node:assert/strict";
import { inTerminal } from "../support/in_terminal.ts";
import { openSandbox, runMain } from "../support/run_main.ts";

const MISSING = /Cannot use the tools of .*\/project\/nope: there is no such directory/;

for (
  const args of [
    ["tools", "list"],
    ["tools", "check"],
    ["tools", "call", "greet"],
    ["tools", "trust", "nope"],
    ["--agent", "demo", "-p", "echo hi"],
  ]
) {
  Deno.test(`a tool directory that is not there is an error: ${args.join(" ")}`, async () => {
    await using sandbox = await openSandbox();
    const flags = args.includes("trust") ? [] : ["--tools", "nope"];
    const run = await runMain(sandbox, [...args, ...flags]);
    assert.equal(run.status, 2, run.stderr);
    assert.match(run.stderr, /\/project\/nope: there is no such directory/);
    assert.equal(run.stdout, "");
  });
}

Deno.test("a tool directory that a configuration file names and that is not there is told", async () => {
  await using sandbox = await openSandbox({ ".mm-repl.jsonc": '{ "tools": ["nope"] }' });
  const run = await runMain(sandbox, ["--agent", "demo", "-p", "echo hi"]);
  assert.equal(run.status, 0);
  assert.match(run.stderr, MISSING);
  const list = await runMain(sandbox, ["tools", "list"]);
  assert.equal(list.status, 0);
  assert.match(list.stderr, MISSING);
});

Deno.test("the REPL says that a tool directory is not there, and goes on", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo", "--tools", "nope"], async ({ pty, screen }) => {
    await screen.waitFor(/Cannot use the tools of/);
    await screen.waitFor(/idle/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  });
});
