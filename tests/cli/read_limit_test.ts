import assert from "node:assert/strict";
import { openSandbox, runMain } from "../support/run_main.ts";
import {
  ask,
  commandLine,
  END_TURN,
  HANDSHAKE,
  say,
  scriptedAgent,
} from "../support/scripted_agent.ts";

Deno.test("readLimit bounds what the agent may read through us, whole MiB or not", async () => {
  await using sandbox = await openSandbox({
    ".mm-repl.jsonc": '{ "readLimit": 0.01 }',
    "small.txt": "x".repeat(10_000),
    "large.txt": "x".repeat(11_000),
  });
  const read = (name: string) =>
    ask(name, "fs/read_text_file", { path: `${sandbox.project}/${name}.txt` });
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { expect: "session/prompt" },
    read("small"),
    read("large"),
    { expectAnswer: "small" },
    { expectAnswer: "large" },
    say("read"),
    END_TURN,
  ]);
  const { status } = await runMain(sandbox, ["--agent", commandLine(agent), "-p", "go"]);
  assert.equal(status, 0);
  const [small] = await agent.answersTo("small");
  const [large] = await agent.answersTo("large");
  assert.deepEqual(small?.result, { content: "x".repeat(10_000) });
  assert.match(JSON.stringify(large?.error), /-32602.*limit of 10486 bytes/);
});
