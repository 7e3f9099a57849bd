/**
 * The real program against the embedded agent as a real child process: one prompt and out.
 *
 * @module
 */

import assert from "node:assert/strict";
import { agentCommand, isAlive, openSandbox, runMain, until } from "./support/run_main.ts";
import { ROOT } from "./support/project.ts";

const WORD_COUNT = await Deno.readTextFile(`${ROOT}/tools/word_count.ts`);

Deno.test("main -p prints the agent's answer alone on stdout and exits 0", async () => {
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["--agent", agentCommand(), "-p", "echo one two"]);
  assert.equal(run.stdout, "one two\n");
  assert.equal(run.status, 0);
});

Deno.test("main -p without mm says how to get it and exits 3", async () => {
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["-p", "hello"], { env: { PATH: "/usr/bin:/bin" } });
  assert.equal(run.status, 3);
  assert.equal(run.stdout, "");
  assert.match(run.stderr, /mm/);
  assert.match(run.stderr, /PATH/);
});

Deno.test("main -p lets the model call a trusted tool of the session's directory", async () => {
  await using sandbox = await openSandbox({
    "tools/word_count.ts": WORD_COUNT,
    "text.txt": "one two three",
  });
  for (const discovery of ["request", "meta"]) {
    const run = await runMain(sandbox, [
      "--agent",
      agentCommand("--discovery", discovery, "--yolo"),
      "--trust-tools",
      "-p",
      'call word_count {"path":"text.txt"}',
    ]);
    assert.match(run.stdout, /3 words/, `${discovery}: ${run.stderr}`);
    assert.equal(run.status, 0);
  }
});

Deno.test("main -p leaves an untrusted tool out and says so on one line", async () => {
  await using sandbox = await openSandbox({ "tools/word_count.ts": WORD_COUNT });
  const run = await runMain(sandbox, [
    "--agent",
    agentCommand("--discovery", "request"),
    "-p",
    "tools",
  ]);
  assert.doesNotMatch(run.stdout, /client_word_count/);
  assert.equal(run.stderr.split("\n").filter((line) => /trust/.test(line)).length, 1, run.stderr);
  assert.equal(run.status, 0);
});

Deno.test("main -p refuses a permission that nobody can answer, and exits 4", async () => {
  await using sandbox = await openSandbox({
    "tools/word_count.ts": WORD_COUNT,
    "text.txt": "one two three",
  });
  const run = await runMain(sandbox, [
    "--agent",
    agentCommand("--discovery", "request"),
    "--trust-tools",
    "-p",
    'call word_count {"path":"text.txt"}',
  ]);
  assert.match(run.stdout, /rejected by user/);
  assert.match(run.stderr, /--permissions|--yolo/);
  assert.equal(run.status, 4);
});

Deno.test("main -p says for each failed start what failed, and exits 3", async () => {
  await using sandbox = await openSandbox();
  const start = (...args: string[]) => runMain(sandbox, [...args, "-p", "hello"]);

  const missing = await start("--agent", "no-such-agent --acp");
  assert.equal(missing.status, 3);
  assert.match(missing.stderr, /no-such-agent/);
  assert.match(missing.stderr, /PATH/);

  const directory = await start("--agent", agentCommand(), "--cwd", `${sandbox.project}/nowhere`);
  assert.equal(directory.status, 3);
  assert.match(directory.stderr, /nowhere/);
  assert.match(directory.stderr, /director/);

  const early = await start("--agent", `sh -c 'echo "node: not found" >&2; exit 127'`);
  assert.equal(early.status, 3);
  assert.match(early.stderr, /127/);
  assert.match(early.stderr, /node: not found/);

  const messages = [missing, directory, early].map((run) => run.stderr.split("\n")[0]);
  assert.equal(new Set(messages).size, 3);
});

Deno.test("main -p ends the agent's whole process tree", async () => {
  await using sandbox = await openSandbox();
  const script =
    `#!/bin/sh\necho $$ > pids\n(trap "" TERM HUP; sleep 300) &\necho $! >> pids\nsh -c '${
      agentCommand().replaceAll("'", `'"'"'`)
    }'\n`;
  await sandbox.write("wrapper.sh", script);
  await Deno.chmod(`${sandbox.project}/wrapper.sh`, 0o755);
  const run = await runMain(sandbox, ["--agent", "./wrapper.sh", "-p", "echo hi"]);
  assert.equal(run.stdout, "hi\n", run.stderr);
  const pids = (await Deno.readTextFile(`${sandbox.project}/pids`)).trim().split("\n").map(Number);
  assert.equal(pids.length, 2);
  for (const pid of pids) await until(async () => !(await isAlive(pid)), `${pid} has ended`);
});

Deno.test("main without -p takes each line of piped input as a prompt", async () => {
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["--agent", agentCommand()], {
    stdin: "echo first\necho second\n",
  });
  assert.equal(run.status, 0, run.stderr);
  assert.ok(run.stdout.indexOf("first") < run.stdout.indexOf("second"), run.stdout);
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(run.stdout, /\x1b/);
});

Deno.test("main without -p and without any input is a usage error", async () => {
  await using sandbox = await openSandbox();
  for (const stdin of [undefined, ""]) {
    const run = await runMain(sandbox, ["--agent", agentCommand()], { stdin });
    assert.equal(run.status, 2);
    assert.match(run.stderr, /-p/);
  }
});

Deno.test("main exits with the status of its table for each way that a turn ends", async () => {
  await using sandbox = await openSandbox();
  const statuses: Record<string, number> = {
    "stop end_turn": 0,
    "stop refusal": 1,
    "stop max_tokens": 7,
    "stop max_turn_requests": 8,
    "stop cancelled": 9,
    "stop brand_new": 10,
    "fail out of order": 1,
    "die": 1,
  };
  for (const [prompt, status] of Object.entries(statuses)) {
    const run = await runMain(sandbox, ["--agent", agentCommand(), "-p", prompt]);
    assert.equal(run.status, status, `${prompt}: ${run.stderr}`);
  }
});
