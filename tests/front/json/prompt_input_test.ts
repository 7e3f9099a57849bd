/**
 * Where the prompts of a run come from: arguments, stdin, files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { asArray, asObject, asString } from "../../../src/base/guards.ts";
import { openSandbox, runMain } from "../../support/run_main.ts";
import {
  commandLine,
  END_TURN,
  HANDSHAKE,
  INITIALIZE,
  PROMPT,
  say,
  type ScriptedAgent,
  scriptedAgent,
  SESSION,
  update,
} from "../../support/scripted_agent.ts";
import { spawnRun } from "./runs.ts";

/** The blocks of each prompt that the agent got. */
async function prompts(agent: ScriptedAgent): Promise<readonly (readonly unknown[])[]> {
  return (await agent.received()).filter(({ method }) => method === "session/prompt")
    .map(({ params }) => asArray(asObject(params).prompt));
}

async function texts(agent: ScriptedAgent): Promise<readonly (string | undefined)[]> {
  return (await prompts(agent)).map(([block]) => asString(asObject(block).text));
}

const ONE_TURN = [...HANDSHAKE, PROMPT, say("ok"), END_TURN];

Deno.test("-p with a stdin that stays open and silent says so once and goes on without it", async () => {
  await using agent = await scriptedAgent(ONE_TURN);
  await using sandbox = await openSandbox();
  const child = spawnRun(agent, sandbox, ["-p", "hi"], "piped");
  const { code, stdout, stderr } = await child.output();
  await child.stdin.close().catch(() => {});
  const decoder = new TextDecoder();
  assert.equal(code, 0);
  assert.equal(decoder.decode(stdout), "ok\n");
  assert.match(decoder.decode(stderr), /^mm-repl: nothing came from stdin for 2 s.*\n$/);
  assert.deepEqual(await texts(agent), ["hi"]);
});

Deno.test("-p appends what is piped in, all of it, and mentions no files in it", async () => {
  await using agent = await scriptedAgent(ONE_TURN);
  await using sandbox = await openSandbox({ "secret.txt": "do not send" });
  const context = "@@ -1 +1 @@\n+@secret.txt \\@x\n" + "0123456789abcdef".repeat(640 * 1024);
  const args = ["--agent", commandLine(agent), "-p", "review"];
  const { status, stderr } = await runMain(sandbox, args, { stdin: context });
  assert.deepEqual([status, stderr], [0, ""]);
  const [blocks = []] = await prompts(agent);
  assert.equal(blocks.length, 1);
  const text = asString(asObject(blocks[0]).text) ?? "";
  assert.equal(text.length, `review\n\n${context}`.length);
  assert.ok(text === `review\n\n${context}`);
});

Deno.test("stdin that is no UTF-8 is read all the same", async () => {
  await using agent = await scriptedAgent(ONE_TURN);
  await using sandbox = await openSandbox();
  const child = spawnRun(agent, sandbox, ["-p", "-"], "piped");
  const writer = child.stdin.getWriter();
  await writer.write(new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62, 0xc3]));
  await writer.write(new Uint8Array([0xa9, 0x0a]));
  await writer.close();
  assert.equal((await child.output()).code, 0);
  assert.deepEqual(await texts(agent), ["a\ufffdbé\n"]);
});

Deno.test("empty stdin adds nothing to a prompt, and is none by itself", async () => {
  await using agent = await scriptedAgent(ONE_TURN);
  await using sandbox = await openSandbox();
  const run = (prompt: string, stdin: string) =>
    runMain(sandbox, ["--agent", commandLine(agent), "-p", prompt], { stdin });
  assert.equal((await run("hi", "")).status, 0);
  assert.deepEqual(await texts(agent), ["hi"]);
  const empty = await run("-", " \n");
  assert.equal(empty.status, 2);
  assert.match(empty.stderr, /stdin had no text/);
});

Deno.test("several -p run in one session, context goes to the first, stdin may be any of them", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    { repeat: [PROMPT, say("ok"), END_TURN], times: 2 },
  ]);
  await using sandbox = await openSandbox();
  const run = (stdin: string, ...prompts: readonly string[]) =>
    runMain(
      sandbox,
      ["--agent", commandLine(agent), ...prompts.flatMap((prompt) => ["-p", prompt])],
      { stdin },
    );
  assert.equal((await run("context", "a", "b")).stdout, "ok\n\nok\n");
  assert.equal((await run("from stdin", "a", "-")).stdout, "ok\n\nok\n");
  assert.deepEqual(await texts(agent), ["a\n\ncontext", "b", "a", "from stdin"]);
  const opened = (await agent.received()).filter(({ method }) => method === "session/new");
  assert.equal(opened.length, 2);
  assert.equal((await run("x", "-", "-")).status, 2);
});

Deno.test("-p sends the files that it mentions, and says which it does not", async () => {
  await using agent = await scriptedAgent(ONE_TURN);
  await using sandbox = await openSandbox({ "my notes.txt": "remember" });
  await Deno.writeTextFile(`${sandbox.home}/outside.txt`, "private");
  const prompt = `see @"my notes.txt", @missing.txt and @${sandbox.home}/outside.txt`;
  const run = await runMain(sandbox, ["--agent", commandLine(agent), "-p", prompt]);
  assert.equal(run.status, 0);
  const [blocks = []] = await prompts(agent);
  assert.equal(asString(asObject(blocks[0]).text), prompt);
  assert.deepEqual(blocks.slice(1).map((block) => asObject(block).type), ["resource_link"]);
  assert.match(asString(asObject(blocks[1]).uri) ?? "", /^file:\/\/\/.*\/my%20notes\.txt$/);
  assert.match(run.stderr, /missing\.txt is no file/);
  assert.match(run.stderr, /outside\.txt is outside/);
});

Deno.test("what an agent says before the first prompt is not the answer", async () => {
  const greeting = [
    update({ sessionUpdate: "available_commands_update", availableCommands: [] }),
    update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "Welcome!" },
    }),
  ];
  await using agent = await scriptedAgent([
    ...INITIALIZE,
    { expect: "session/new" },
    { respond: { sessionId: SESSION }, respondBefore: greeting },
    PROMPT,
    say("the answer"),
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  for (const output of ["text", "json"]) {
    const args = ["--agent", commandLine(agent), "-p", "go", "--output", output];
    const { stdout } = await runMain(sandbox, args);
    const text = output === "text" ? stdout.trimEnd() : JSON.parse(stdout).text;
    assert.equal(text, "the answer");
  }
});
