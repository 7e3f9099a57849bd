/**
 * Runs from where there is nobody and nothing: cron, containers, supervisors.
 *
 * @module
 */

import assert from "node:assert/strict";
import { MAIN_COMMAND, openSandbox, runMain } from "../../support/run_main.ts";
import {
  ask,
  askPermission,
  commandLine,
  END_TURN,
  HANDSHAKE,
  PROMPT,
  say,
  scriptedAgent,
  type Step,
  update,
} from "../../support/scripted_agent.ts";
import { runTurn } from "./runs.ts";

const WITH_A_CALL: readonly Step[] = [
  { send: update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "read" }) },
  { send: update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "failed" }) },
  { send: update({ sessionUpdate: "brand_new" }) },
  say("fine"),
  END_TURN,
];

Deno.test("-p needs no home, no terminal type, no shell and no writable directory of its own", async () => {
  await using sandbox = await openSandbox();
  await using agent = await scriptedAgent([...HANDSHAKE, PROMPT, ...WITH_A_CALL]);
  const [program = "deno", ...rest] = MAIN_COMMAND;
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...rest, "--agent", commandLine(agent), "-p", "go"],
    cwd: sandbox.project,
    clearEnv: true,
    env: { PATH: sandbox.env.PATH ?? "", DENO_DIR: sandbox.env.DENO_DIR ?? "", HOME: "/proc/none" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.deepEqual([decoder.decode(stdout), code], ["fine\n", 0], decoder.decode(stderr));
});

Deno.test("-p writes no colour, whatever the terminal would take", async () => {
  const env = {
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    FORCE_COLOR: "1",
    CLICOLOR_FORCE: "1",
  };
  const { stdout, stderr, status } = await runTurn(WITH_A_CALL, [], { env });
  assert.deepEqual([stdout, status], ["fine\n", 0]);
  assert.match(stderr, /Look: failed/);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(stderr, /\x1b/);
});

Deno.test("-p exits with 4 for a file that nobody could be asked about", async () => {
  const rules = '{ "permissionRules": [{ "kind": "read", "path": "**", "action": "ask" }] }';
  for (const [config, path] of [["{}", "/etc/hostname"], [rules, "$PROJECT/notes"]] as const) {
    await using sandbox = await openSandbox();
    await Deno.writeTextFile(`${sandbox.project}/notes`, "x");
    const file = `${sandbox.home}/config.jsonc`;
    await Deno.writeTextFile(file, config);
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      PROMPT,
      ask(1, "fs/read_text_file", { path: path.replace("$PROJECT", sandbox.project) }),
      { expectAnswer: 1 },
      END_TURN,
    ]);
    const args = ["--config", file, "--agent", commandLine(agent), "-p", "go"];
    const run = await runMain(sandbox, args, { timeoutMs: 10_000 });
    assert.equal(run.status, 4, run.stderr);
    assert.match(run.stderr, /Refused to read .*: nobody can be asked/);
    if (path === "/etc/hostname") assert.match(run.stderr, /run mm-repl in \/etc or .*--add-dir/);
  }
});

Deno.test("-p asks nobody anything: permissions, forms and files outside are refused at once", async () => {
  await using agent = await scriptedAgent([
    ...HANDSHAKE,
    PROMPT,
    askPermission(1, "c"),
    { expectAnswer: 1 },
    ask(2, "elicitation/create", {
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    }),
    { expectAnswer: 2 },
    ask(3, "fs/read_text_file", { path: "/etc/hostname" }),
    { expectAnswer: 3 },
    END_TURN,
  ]);
  await using sandbox = await openSandbox();
  for (const stdin of [undefined, ""]) {
    const args = ["--agent", commandLine(agent), "-p", "go"];
    const run = await runMain(sandbox, args, { stdin, timeoutMs: 10_000 });
    assert.equal(run.status, 4, run.stderr);
    assert.equal(run.stdout, "");
    assert.match(run.stderr, /^.*Refused "c".*--permissions/m);
  }
  const [permission] = await agent.answersTo(1);
  assert.deepEqual(permission?.result, { outcome: { outcome: "selected", optionId: "n" } });
  for (const id of [2, 3]) {
    const answers = await agent.answersTo(id);
    assert.equal(answers.length, 2);
    assert.ok(answers.every((answer) => "error" in answer || "result" in answer));
  }
});
