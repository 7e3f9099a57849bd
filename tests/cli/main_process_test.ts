/**
 * The real program, started as a user starts it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { MAIN } from "../support/project.ts";
import {
  agentCommand,
  isAlive,
  MAIN_COMMAND,
  openSandbox,
  runMain,
  type Sandbox,
  until,
} from "../support/run_main.ts";

const WIDENING = '{\n  "permissions": "allow", "thoughts": "full"\n}';

Deno.test("main --version and --help print to stdout and exit 0", async () => {
  await using sandbox = await openSandbox();
  const version = await runMain(sandbox, ["--version"]);
  assert.deepEqual([version.status, version.stderr], [0, ""]);
  assert.match(version.stdout, /^mm-repl \d+\.\d+\.\d+\n$/);
  for (const args of [["--help"], ["-h"], ["help"], ["help", "tools", "call"]]) {
    const help = await runMain(sandbox, args);
    assert.deepEqual([help.status, help.stderr], [0, ""]);
    assert.match(help.stdout, /^Usage: mm-repl /);
  }
});

Deno.test("main exits with 2 and a suggestion for what it does not know", async () => {
  await using sandbox = await openSandbox();
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["--agnet", "x"], /--agent/],
    [["docter"], /doctor/],
    [["tools", "chek"], /tools check/],
    [["-p", ""], /empty prompt/],
    [["-p"], /argument missing/],
    [["--output", "json"], /without a prompt/],
    [["--yolo", "--permissions", "deny", "-p", "x"], /--yolo/],
    [["--continue", "--resume", "x", "-p", "x"], /--resume/],
    [["--set", "novalue", "-p", "x"], /KEY=VALUE/],
    [["--url", "ftp://x", "-p", "x"], /http/],
    [["--url", "http://me:pw@h:99999/a?k=pw", "-p", "x"], /the url "http:\/\/h:99999\/a"/],
    [["--url", "http://x", "--agent", "y", "-p", "x"], /--url/],
    [["-p", "x", "--", "-acp"], /--agent/],
    [["--agent", "'open", "-p", "x"], /not closed/],
    [["completions", "fishh"], /fish/],
    [["permissions", "test", "{"], /request/],
    [["ext", "plain", "--agent", "demo"], /no such method/],
    [["ext", "help", "--agent", "demo"], /mm-repl ext help METHOD/],
  ];
  for (const [args, message] of cases) {
    const run = await runMain(sandbox, args);
    assert.equal(run.status, 2, `${args}: ${run.stderr}`);
    assert.equal(run.stdout, "");
    assert.match(run.stderr, message);
    assert.ok(run.stderr.trim().split("\n").length <= 3, run.stderr);
  }
});

Deno.test("main agent answers initialize on stdio and ends with its input", async () => {
  await using sandbox = await openSandbox();
  const child = spawnMain(sandbox, ["agent", "--discovery", "request", "--yolo"], "piped");
  const writer = child.stdin.getWriter();
  const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
  await writer.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) text += (await reader.read()).value ?? assert.fail(text);
  assert.equal(JSON.parse(text).result.protocolVersion, 1);
  await writer.close();
  assert.equal((await child.status).code, 0);
  await reader.cancel();
  assert.equal((await runMain(sandbox, ["agent", "--discovery", "x"])).status, 2);
});

Deno.test("main agent exits with 1 when it is told to die", async () => {
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["--agent", agentCommand(), "-p", "die"]);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /the agent ended with exit status 1$/m);
});

Deno.test("main names file, line and column of a broken configuration before any agent starts", async () => {
  await using sandbox = await openSandbox({
    ".mm-repl.jsonc": '{\n  "agent": "demo",\n  "timeout": "soon"\n}',
  });
  const agent = `sh -c 'touch started; cat'`;
  const run = await runMain(sandbox, ["--agent", agent, "-p", "x"]);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /\.mm-repl\.jsonc:3:14: timeout must be a number/);
  await assert.rejects(Deno.stat(`${sandbox.project}/started`), Deno.errors.NotFound);
});

Deno.test("main -p leaves out what a project's file widens and says so in one line", async () => {
  await using sandbox = await openSandbox({ ".mm-repl.jsonc": WIDENING });
  const run = await runMain(sandbox, ["--agent", agentCommand(), "--no-tools", "-p", "echo hi"]);
  assert.match(run.stderr, /permissions of .*\.mm-repl\.jsonc left out/);
  assert.equal(run.stdout, "hi\n");
});

Deno.test("main starts an agent by its name in the user's configuration", async () => {
  await using sandbox = await openSandbox();
  const [command, ...args] = [...MAIN_COMMAND, "agent"];
  await Deno.mkdir(`${sandbox.home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(
    `${sandbox.home}/.config/mm-repl/config.jsonc`,
    JSON.stringify({ agent: "mine", agents: { mine: { command, args } } }),
  );
  const run = await runMain(sandbox, ["-p", "echo named"]);
  assert.deepEqual([run.stdout, run.status], ["named\n", 0], run.stderr);
  const mistyped = await runMain(sandbox, ["--agent", "mone", "-p", "x"]);
  assert.equal(mistyped.status, 3);
  assert.match(mistyped.stderr, /--agent mine/);
});

Deno.test("main works in the directory of --cwd, and refuses one that is not there", async () => {
  await using sandbox = await openSandbox({ "my dir é/a.txt": "x" });
  const agent = `sh -c 'pwd > where; exit 1'`;
  for (const dir of ["my dir é", "./my dir é/", `${sandbox.project}/my dir é`]) {
    const where = `${sandbox.project}/my dir é/where`;
    await runMain(sandbox, ["--cwd", dir, "--agent", agent, "-p", "x"]);
    assert.equal(await Deno.readTextFile(where), `${sandbox.project}/my dir é\n`);
    await Deno.remove(where);
  }
  for (const dir of ["missing", "my dir é/a.txt"]) {
    const run = await runMain(sandbox, ["--cwd", dir, "--agent", "demo", "-p", "x"]);
    assert.equal(run.status, 3);
    assert.match(run.stderr, /Cannot work in .*directory/);
  }
});

Deno.test("main -p reads its prompt, or context for it, from stdin", async () => {
  await using sandbox = await openSandbox();
  const run = (stdin: string | undefined, ...args: readonly string[]) =>
    runMain(sandbox, ["--agent", agentCommand(), ...args], { stdin });
  assert.equal((await run("echo from stdin", "-p", "-")).stdout, "from stdin\n");
  assert.match((await run("the context", "-p", "echo first")).stdout, /^first\n\nthe context\n$/);
  assert.equal((await run(undefined, "-p", "echo alone")).stdout, "alone\n");
  assert.equal((await run("", "-p", "-")).status, 2);
  assert.equal((await run(undefined, "-p", "-")).status, 2);
  assert.equal((await run(undefined, "-p", "echo a", "-p", "echo b")).stdout, "a\n\nb\n");
});

Deno.test("main -p takes prompts that begin with a dash", async () => {
  await using sandbox = await openSandbox();
  for (const args of [["-p", "--help me"], ["-p", "- item one"], ["-p", "--", "-x"]]) {
    const run = await runMain(sandbox, ["--agent", agentCommand(), ...args]);
    assert.deepEqual([run.status, run.stderr], [0, ""]);
    assert.doesNotMatch(run.stdout, /^Usage/);
  }
});

Deno.test("main --trace writes a private file with the messages", async () => {
  await using sandbox = await openSandbox();
  const args = ["--agent", agentCommand(), "--trace", "trace.ndjson", "-p", "echo hi"];
  assert.equal((await runMain(sandbox, args)).status, 0);
  const file = `${sandbox.project}/trace.ndjson`;
  assert.match(await Deno.readTextFile(file), /"session\/prompt"/);
  assert.equal(((await Deno.stat(file)).mode ?? 0) & 0o777, 0o600);
});

Deno.test("main -p --verbose shows the agent's stderr on its own", async () => {
  await using sandbox = await openSandbox();
  const agent = `sh -c 'echo "a word" >&2; exec ${agentCommand().replaceAll("'", "")}'`;
  const args = ["--agent", agent, "-p", "echo hi"];
  const loud = await runMain(sandbox, [...args, "--verbose"]);
  assert.equal(loud.stdout, "hi\n", loud.stderr);
  assert.match(loud.stderr, /^agent stderr: a word$/m);
  assert.equal((await runMain(sandbox, args)).stderr, "");
});

Deno.test("main without Deno permissions names the flags in one message and asks nothing", async () => {
  await using sandbox = await openSandbox();
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-read", MAIN, "-p", "x"],
    cwd: sandbox.project,
    clearEnv: true,
    env: { ...sandbox.env },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stderr);
  assert.equal(code, 2, text);
  assert.match(text, /--allow-write --allow-env --allow-run/);
  assert.doesNotMatch(text, /requests|granted access/);
});

Deno.test("main works without a home, a terminal type or any other variable", async () => {
  await using sandbox = await openSandbox();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...MAIN_COMMAND.slice(1), "--agent", "demo", "-p", "echo bare"],
    cwd: sandbox.project,
    clearEnv: true,
    env: { TMPDIR: sandbox.home, DENO_DIR: sandbox.env.DENO_DIR ?? "" },
    stdin: "null",
  });
  const { code, stdout, stderr } = await child.output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.equal(new TextDecoder().decode(stdout), "bare\n");
});

for (
  const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const
) {
  Deno.test(`main -p ends on ${signal} with ${status} and leaves no agent behind`, async () => {
    await using sandbox = await openSandbox();
    const agent = `sh -c 'echo $$ > pid; trap "" TERM HUP INT; while :; do sleep 0.1; done'`;
    const child = spawnMain(sandbox, ["--agent", agent, "-p", "x"]);
    const file = `${sandbox.project}/pid`;
    await until(() => Deno.stat(file).then(() => true, () => false), "the agent runs");
    await until(async () => (await Deno.readTextFile(file)).endsWith("\n"), "its id is written");
    child.kill(signal);
    assert.equal((await child.status).code, status);
    const pid = (await Deno.readTextFile(file)).trim();
    await until(async () => !(await isAlive(Number(pid))), "the agent is gone");
  });
}

for (const [signal, status] of [["SIGTERM", 143], ["SIGHUP", 129]] as const) {
  Deno.test(`main sessions ends on ${signal} with ${status}, whatever it was at`, async () => {
    await using sandbox = await openSandbox();
    const child = spawnMain(sandbox, [
      "sessions",
      "--agent",
      "sh -c 'touch started; exec sleep 60'",
    ]);
    const started = `${sandbox.project}/started`;
    await until(() => Deno.stat(started).then(() => true, () => false), "the agent runs");
    child.kill(signal);
    assert.equal((await child.status).code, status);
  });
}

Deno.test("main tools new, check, call and trust work without an agent", async () => {
  await using sandbox = await openSandbox();
  const run = (...args: readonly string[]) => runMain(sandbox, ["tools", ...args]);
  const made = await run("new", "greet");
  assert.equal(made.status, 0, made.stderr);
  const trial = "mm-repl tools check; mm-repl tools trust; mm-repl tools call greet name=you";
  assert.match(made.stdout, new RegExp(`^Try it: ${trial}$`, "m"));
  assert.equal((await run("new", "greet")).status, 2);
  assert.match((await run("list")).stdout, /^greet /m);
  assert.match((await run("check")).stdout, /client_greet/);

  const untrusted = await run("call", "greet", "name=Ada");
  assert.equal(untrusted.status, 1);
  assert.match(untrusted.stderr, /not trusted/);
  assert.equal((await run("trust")).status, 1);
  assert.equal((await run("trust", "--yes")).status, 0);
  const called = await run("call", "greet", '{"name":"Ada"}');
  assert.equal(called.stdout, "Hello, Ada.\n", called.stderr);
  const wrong = await run("call", "greet", "nme=Ada");
  assert.equal(wrong.status, 1);
  assert.match(wrong.stdout, /name/);

  await sandbox.write("tools/broken.ts", "export const x: = 1\n");
  const check = await run("check");
  assert.equal(check.status, 1);
  assert.match(check.stdout, /broken\.ts:1/);
});

Deno.test("main tools new says how to try the tool where it is", async () => {
  await using sandbox = await openSandbox();
  const trial = async (...args: readonly string[]) => {
    const { stdout } = await runMain(sandbox, ["tools", "new", "greet", ...args]);
    return /^Try it: (.*)$/m.exec(stdout)?.[1];
  };
  const own = `${sandbox.home}/.config/mm-repl/tools`;
  assert.equal(
    await trial("--tools", "my tools"),
    `mm-repl tools check --tools 'my tools'; mm-repl tools trust '${sandbox.project}/my tools'; ` +
      "mm-repl tools call --tools 'my tools' greet name=you",
  );
  await sandbox.write(".mm-repl.jsonc", '{ "tools": [] }');
  assert.equal(await trial(), "mm-repl tools check; mm-repl tools call greet name=you");
  assert.ok((await Deno.stat(`${own}/greet.ts`)).isFile);
});

Deno.test("main sessions lists what the agent knows", async () => {
  await using sandbox = await openSandbox();
  for (const args of [["sessions"], ["sessions", "list", "--json", "--all"]]) {
    const run = await runMain(sandbox, [...args, "--agent", agentCommand()]);
    assert.deepEqual([run.status, run.stdout], [0, ""]);
    assert.match(run.stderr, /No sessions/);
  }
});

Deno.test("main ext reports an agent that does not know the method", async () => {
  await using sandbox = await openSandbox();
  const run = await runMain(sandbox, ["ext", "_nobody/knows", "a=1", "--agent", agentCommand()]);
  assert.equal(run.status, 1);
  assert.match(run.stderr, /Cannot call _nobody\/knows/);
});

Deno.test("main permissions test explains which rule decides", async () => {
  await using sandbox = await openSandbox();
  await Deno.mkdir(`${sandbox.home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(
    `${sandbox.home}/.config/mm-repl/config.jsonc`,
    `{ "permissionRules": [
      { "command": "git *", "action": "allow" },
      { "command": "rm *", "action": "deny" },
    ] }`,
  );
  const test = async (request: unknown, ...args: readonly string[]) => {
    const run = await runMain(sandbox, ["permissions", "test", JSON.stringify(request), ...args]);
    return [run.status, run.stdout.split("\n")[0]];
  };
  const shell = (command: string) => ({ kind: "execute", command });
  assert.deepEqual(await test(shell("git status")), [0, "allow"]);
  assert.deepEqual(await test(shell("git status && rm x")), [4, "deny"]);
  assert.deepEqual(await test(shell("git status && rm x"), "--yolo"), [4, "deny"]);
  assert.deepEqual(await test(shell("make")), [1, "ask"]);
  assert.deepEqual(await test({ kind: "read", path: "a" }, "--permissions", "reads"), [0, "allow"]);
});

Deno.test("main config prints a JSON Schema and every setting", async () => {
  await using sandbox = await openSandbox();
  const schema = JSON.parse((await runMain(sandbox, ["config", "schema"])).stdout);
  const list = (await runMain(sandbox, ["config", "list"])).stdout;
  for (const key of Object.keys(schema.properties).filter((key) => key !== "$schema")) {
    assert.match(list, new RegExp(`^${key}$`, "m"));
  }
});

Deno.test("main doctor says what is wrong and how to mend it", async () => {
  await using sandbox = await openSandbox({
    ".mm-repl.jsonc": '{ "modle": "x", "permissions": "allow" }',
    "tools/broken.ts": "export const x: = 1\n",
  });
  const run = await runMain(sandbox, ["doctor"], { env: { PATH: "/usr/bin:/bin" } });
  assert.equal(run.status, 1, run.stderr);
  assert.match(run.stdout, /^FAIL {2}agent: .*"mm"/m);
  assert.match(run.stdout, /^warn {2}configuration: .*:1:3: modle .*"model"/m);
  assert.match(run.stdout, /^warn {2}configuration: .*asks for permissions/m);
  assert.match(run.stdout, /^warn {2}tools: .*broken\.ts/m);
  assert.match(run.stdout, /^ok {4}Deno: /m);
  const lines = run.stdout.trimEnd().split("\n");
  lines.forEach((line, index) => {
    if (/^(warn|FAIL)/.test(line)) assert.match(lines[index + 1] ?? "", /^ +-> /);
  });
  const good = await runMain(sandbox, ["doctor", "--agent", "demo", "--no-tools"]);
  assert.equal(good.status, 0);
});

Deno.test("main says of a --timeout that went by while stdin was read how long it was", async () => {
  await using sandbox = await openSandbox();
  const [command = "deno", ...rest] = MAIN_COMMAND;
  await using child = new Deno.Command(command, {
    args: [...rest, "--agent", "demo", "-p", "echo hi", "--timeout", "0.5"],
    cwd: sandbox.project,
    clearEnv: true,
    env: { ...sandbox.env },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const stderr = await child.stderr.text();
  assert.equal((await child.status).code, 5);
  assert.match(stderr, /the 0\.5 s of --timeout went by while stdin was read/);
  assert.doesNotMatch(stderr, /after 0 s/);
});

function spawnMain(
  sandbox: Sandbox,
  args: readonly string[],
  pipes: "piped" | "null" = "null",
): Deno.ChildProcess {
  const [command = "deno", ...rest] = MAIN_COMMAND;
  return new Deno.Command(command, {
    args: [...rest, ...args],
    cwd: sandbox.project,
    clearEnv: true,
    env: { ...sandbox.env },
    stdin: pipes,
    stdout: pipes,
    stderr: "null",
  }).spawn();
}
