import assert from "node:assert/strict";
import { MethodRouter } from "../../src/client/router.ts";
import { type TerminalEvent, Terminals } from "../../src/client/terminals.ts";
import { eventually, isAlive } from "../support/scripted_agent.ts";
import { call, failure, SESSION } from "./call.ts";

class Bench {
  readonly router = new MethodRouter();
  readonly events: TerminalEvent[] = [];
  readonly terminals: Terminals;

  private constructor(readonly cwd: string) {
    this.terminals = new Terminals({
      roots: (id) => id === SESSION ? [cwd] : undefined,
      onEvent: (_, event) => this.events.push(event),
    });
    this.terminals.register(this.router);
  }

  static async open(): Promise<Bench> {
    return new Bench(await Deno.realPath(await Deno.makeTempDir()));
  }

  async create(command: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const result = await call(this.router, "terminal/create", { command, ...params });
    return (result as { terminalId: string }).terminalId;
  }

  ask(method: string, terminalId: string): Promise<unknown> {
    return call(this.router, `terminal/${method}`, { terminalId });
  }

  /** Runs a command to its end and gives its output. */
  async run(command: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const id = await this.create(command, params);
    await this.ask("wait_for_exit", id);
    const { output } = await this.ask("output", id) as { output: string };
    await this.ask("release", id);
    return output;
  }

  /** The number that a command has written to a file in its directory. */
  async pidIn(name: string): Promise<number> {
    const path = `${this.cwd}/${name}`;
    const read = () => Deno.readTextFile(path).catch(() => "");
    await eventually(`${name} is written`, async () => (await read()).endsWith("\n"));
    return Number(await read());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.terminals.close();
    await Deno.remove(this.cwd, { recursive: true });
  }
}

const OK = { exitCode: 0, signal: null };

Deno.test("a command without arguments is a line for the shell", async () => {
  await using bench = await Bench.open();
  const line = "echo one && echo 'two  spaces' | cat";
  assert.equal(await bench.run(line), "one\ntwo  spaces\n");
  assert.equal(await bench.run(line, { args: [] }), "one\ntwo  spaces\n");
});

Deno.test("arguments are passed as they are", async () => {
  await using bench = await Bench.open();
  const args = ["%s|", "a b", "", "$HOME", "*", "é"];
  assert.equal(await bench.run("printf", { args }), "a b||$HOME|*|é|");
});

Deno.test("a program with spaces in its path runs", async () => {
  await using bench = await Bench.open();
  const path = `${bench.cwd}/my tools/run.sh`;
  await Deno.mkdir(`${bench.cwd}/my tools`);
  await Deno.writeTextFile(path, '#!/bin/sh\necho "got $1"\n', { mode: 0o755 });
  await Deno.chmod(path, 0o755);
  assert.equal(await bench.run(path, { args: ["x"] }), "got x\n");
});

Deno.test("the environment is added to ours, the directory is the session's or the one named", async () => {
  await using bench = await Bench.open();
  const env = [{ name: "K", value: "a=b c\nd" }];
  assert.equal(await bench.run('printf "%s" "$K"; test -n "$PATH"', { env }), "a=b c\nd");
  assert.equal(await bench.run("pwd"), `${bench.cwd}\n`);
  await Deno.mkdir(`${bench.cwd}/sub`);
  assert.equal(await bench.run("pwd", { cwd: `${bench.cwd}/sub` }), `${bench.cwd}/sub\n`);
});

Deno.test("what cannot be run is an error at once", async (t) => {
  await using bench = await Bench.open();
  await Deno.writeTextFile(`${bench.cwd}/plain`, "");
  await Deno.symlink("/", `${bench.cwd}/way_out`);
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ["a missing program", { command: "no-such-program-at-all", args: ["x"] }, /command not found/],
    ["a missing program, no arguments", { command: "no-such-program-at-all" }, /command not found/],
    ["a file that is no program", { command: "./plain", args: ["x"] }, /command not found/],
    ["a relative directory", { command: "true", cwd: "sub" }, /absolute/],
    ["a directory elsewhere", { command: "true", cwd: "/" }, /outside the session's directories/],
    ["a link to one", { command: "true", cwd: `${bench.cwd}/way_out` }, /outside/],
    ["a missing directory", { command: "true", cwd: "/no/such/dir" }, /does not exist/],
    ["no command", {}, /command/],
    ["arguments that are no list", { command: "true", args: "x" }, /args/],
    ["an environment that is no list", { command: "true", env: { K: "v" } }, /env/],
    ["a limit below 0", { command: "true", outputByteLimit: -1 }, /outputByteLimit/],
    ["another session", { command: "true", sessionId: "s9" }, /unknown session/],
  ];
  for (const [name, params, message] of cases) {
    await t.step(name, async () => {
      const error = await failure(bench.router, "terminal/create", params);
      assert.equal(error.code, -32602);
      assert.match(error.message, message);
    });
  }
});

Deno.test("stdout and stderr come as one output, in order", async () => {
  await using bench = await Bench.open();
  const line = "for i in 1 2 3 4 5; do echo out$i; echo err$i >&2; done";
  const expected = [1, 2, 3, 4, 5].map((i) => `out${i}\nerr${i}\n`).join("");
  assert.equal(await bench.run(line), expected);
});

Deno.test("a command that reads its input finds none", async () => {
  await using bench = await Bench.open();
  assert.equal(await bench.run("cat; echo done"), "done\n");
});

Deno.test("output is cut at its beginning, between characters", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("printf 'aé日🙂'", { outputByteLimit: 8 });
  await bench.ask("wait_for_exit", id);
  assert.deepEqual(await bench.ask("output", id), {
    output: "日🙂",
    truncated: true,
    exitStatus: OK,
  });
});

Deno.test("output can be read while the command runs", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("echo early; while [ ! -e go ]; do sleep 0.02; done; echo late");
  await eventually("the first line", async () => {
    const { output } = await bench.ask("output", id) as { output: string };
    return output === "early\n";
  });
  assert.deepEqual(await bench.ask("output", id), { output: "early\n", truncated: false });
  await Deno.writeTextFile(`${bench.cwd}/go`, "");
  assert.deepEqual(await bench.ask("wait_for_exit", id), OK);
  assert.deepEqual(await bench.ask("output", id), {
    output: "early\nlate\n",
    truncated: false,
    exitStatus: OK,
  });
});

Deno.test("an exit status is told to everyone who waits", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("exit 3");
  const both = await Promise.all([bench.ask("wait_for_exit", id), bench.ask("wait_for_exit", id)]);
  assert.deepEqual(both, Array(2).fill({ exitCode: 3, signal: null }));
});

Deno.test("kill ends what ignores SIGTERM, and the id stays valid", async () => {
  await using bench = await Bench.open();
  const id = await bench.create(`trap "" TERM; echo $$ > pid; echo up; sleep 600`);
  const pid = await bench.pidIn("pid");
  const waiting = bench.ask("wait_for_exit", id);
  await bench.ask("kill", id);
  assert.deepEqual(await waiting, { exitCode: null, signal: "SIGKILL" });
  assert.equal(await isAlive(pid), false);
  await bench.ask("kill", id);
  assert.deepEqual(await bench.ask("output", id), {
    output: "up\n",
    truncated: false,
    exitStatus: { exitCode: null, signal: "SIGKILL" },
  });
});

Deno.test("kill of an ordinary command reports SIGTERM", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("sleep", { args: ["600"] });
  await bench.ask("kill", id);
  assert.deepEqual(await bench.ask("wait_for_exit", id), { exitCode: null, signal: "SIGTERM" });
});

Deno.test("a released terminal is unknown, and releasing it again is an error", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("echo $$ > pid; sleep 600");
  const pid = await bench.pidIn("pid");
  const waiting = bench.ask("wait_for_exit", id);
  await bench.ask("release", id);
  assert.deepEqual(await waiting, { exitCode: null, signal: "SIGTERM" });
  assert.equal(await isAlive(pid), false);
  for (const method of ["output", "wait_for_exit", "kill", "release"]) {
    const error = await failure(bench.router, `terminal/${method}`, { terminalId: id });
    assert.equal(error.code, -32002, method);
  }
});

Deno.test("a terminal belongs to its session", async () => {
  await using bench = await Bench.open();
  const terminalId = await bench.create("true");
  const error = await failure(bench.router, "terminal/output", { terminalId, sessionId: "s9" });
  assert.equal(error.code, -32002);
});

Deno.test("a background child that holds the output does not keep the command from ending", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("sleep 600 & echo $! > pid; echo started");
  const pid = await bench.pidIn("pid");
  assert.deepEqual(await bench.ask("wait_for_exit", id), OK);
  assert.equal(await isAlive(pid), true);
  assert.deepEqual(await bench.ask("output", id), {
    output: "started\n",
    truncated: false,
    exitStatus: OK,
  });
  await bench.ask("release", id);
  assert.equal(await isAlive(pid), false);
});

Deno.test("terminals that nobody released end with their session", async () => {
  await using bench = await Bench.open();
  await bench.create("sleep 600 & echo $! > child; echo $$ > pid; wait");
  const pids = [await bench.pidIn("child"), await bench.pidIn("pid")];
  await bench.terminals.releaseSession("another");
  assert.deepEqual(await Promise.all(pids.map(isAlive)), [true, true]);
  await bench.terminals.releaseSession(SESSION);
  assert.deepEqual(await Promise.all(pids.map(isAlive)), [false, false]);
});

const DAEMONS: readonly (readonly [string, string])[] = [
  ["a process with a session of its own", "setsid sh -c 'echo $$ > pid; exec sleep 600' & wait"],
  [
    "a process with a session of its own and a parent that has ended",
    "nohup setsid sh -c 'echo $$ > pid; exec sleep 600' >/dev/null 2>&1 &",
  ],
  [
    "a process with two parents that have ended",
    "(setsid sh -c '(echo $(exec sh -c \"echo \\$PPID\") > pid; exec sleep 600) &' &); sleep 600",
  ],
];

for (const [what, script] of DAEMONS) {
  for (const method of ["kill", "release"]) {
    Deno.test(`${method} ends ${what}`, {
      ignore: Deno.build.os !== "linux",
    }, async () => {
      await using bench = await Bench.open();
      const id = await bench.create(script);
      const pid = await bench.pidIn("pid");
      assert.equal(await isAlive(pid), true);
      await bench.ask(method, id);
      assert.equal(await isAlive(pid), false);
    });
  }
}

Deno.test("waiting ends when the request is taken back", async () => {
  await using bench = await Bench.open();
  const terminalId = await bench.create("sleep 600");
  const aborter = new AbortController();
  const waiting = call(bench.router, "terminal/wait_for_exit", { terminalId }, aborter.signal);
  aborter.abort();
  await assert.rejects(waiting, { code: -32800 });
});

Deno.test("what a command does is told in order: created, output, exited", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("printf", { args: ["%s", "it's"] });
  await bench.ask("wait_for_exit", id);
  assert.deepEqual(bench.events, [
    { type: "terminal_created", terminalId: id, command: "printf %s 'it'\\''s'" },
    { type: "terminal_output", terminalId: id, output: "it's", truncated: false },
    { type: "terminal_exited", terminalId: id, ...OK },
  ]);
});

Deno.test("a flood of output is told a few times, not once a line", async () => {
  await using bench = await Bench.open();
  const id = await bench.create("seq 1 20000");
  await bench.ask("wait_for_exit", id);
  const outputs = bench.events.filter((event) => event.type === "terminal_output");
  assert.ok(outputs.length <= 40, `${outputs.length} events`);
  assert.ok(outputs.at(-1)?.output.endsWith("19999\n20000\n"));
});
