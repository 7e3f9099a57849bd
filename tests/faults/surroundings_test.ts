/**
 * Surroundings in which something is missing that is always there.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openPty } from "../support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "../support/run_main.ts";
import { openScreen } from "../support/screen.ts";
import { runInShell } from "../support/run_in_shell.ts";

const RUN = ["--agent", "demo", "-p", "echo hi"];

for (
  const [what, env] of [
    ["no home", { HOME: undefined }],
    ["a home that does not exist", { HOME: "/nonexistent/home" }],
    ["an empty environment", { HOME: undefined, LANG: undefined, SHELL: undefined }],
  ] as const
) {
  Deno.test(`a run works with ${what}`, async () => {
    await using sandbox = await openSandbox();
    const { status, stdout } = await runInShell(sandbox, RUN, {
      env: { ...env, TMPDIR: sandbox.home },
    });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "hi\n" });
  });
}

for (
  const [what, script] of [
    ["stdin", 'exec "$@" <&-'],
    ["stderr", 'exec "$@" 2>&-'],
    ["stdin and stderr", 'exec "$@" <&- 2>&-'],
  ]
) {
  Deno.test(`a run works with a closed ${what}`, async () => {
    await using sandbox = await openSandbox();
    const { status, stdout } = await runInShell(sandbox, RUN, { script });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "hi\n" });
  });
}

Deno.test("a run works with a closed stdout, and its answer goes nowhere", async () => {
  await using sandbox = await openSandbox();
  const { status, stdout, stderr } = await runInShell(sandbox, RUN, { script: 'exec "$@" >&-' });
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" });
});

Deno.test("a reader of stderr that goes away does not end the run", async () => {
  await using sandbox = await openSandbox();
  const script = '{ "$@" 2>&3; } 3>&1 >out | true; cat out';
  const { stdout } = await runInShell(sandbox, [...RUN, "--verbose"], { script });
  assert.match(stdout, /^hi$/m);
});

Deno.test("a reader of stdout that goes away ends the run with 141 and no words", async () => {
  await using sandbox = await openSandbox();
  const script = '{ "$@"; echo $? > status; } | true; cat status';
  const { stdout, stderr } = await runInShell(sandbox, ["--agent", "demo", "-p", "lines 5000"], {
    script,
  });
  assert.deepEqual({ status: stdout.trim(), stderr }, { status: "141", stderr: "" });
});

Deno.test("a reader of lines that goes away ends the program with 141 and no words", async () => {
  await using sandbox = await openSandbox();
  const script = '{ "$@"; echo $? > status; } | true; cat status';
  const { stdout, stderr } = await runInShell(sandbox, ["--agent", "demo"], {
    script,
    stdin: "lines 5000\nlines 5000\n",
  });
  assert.deepEqual({ status: stdout.trim(), stderr }, { status: "141", stderr: "" });
});

/** Deno deletes caches that it cannot open, so it gets some of its own here. */
async function ownCaches(home: string): Promise<string> {
  const shared = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME") ?? "/root"}/.cache/deno`;
  const own = `${home}/deno`;
  await Deno.mkdir(own);
  for (const name of ["npm", "remote", "gen"]) {
    if (await Deno.stat(`${shared}/${name}`).catch(() => undefined) === undefined) continue;
    await Deno.symlink(`${shared}/${name}`, `${own}/${name}`);
  }
  return own;
}

Deno.test("few file descriptors are enough", async () => {
  await using sandbox = await openSandbox();
  const env = { DENO_DIR: await ownCaches(sandbox.home) };
  // Once without a limit, so that the caches are there.
  await runInShell(sandbox, RUN, { env });
  for (const limit of [32, 48, 64]) {
    const script = `ulimit -n ${limit}; exec "$@"`;
    const { status, stdout, stderr } = await runInShell(sandbox, RUN, { env, script });
    assert.deepEqual({ status, stdout }, { status: 0, stdout: "hi\n" }, `${limit}: ${stderr}`);
  }
});

Deno.test("few file descriptors are enough for a tool", async () => {
  await using sandbox = await openSandbox({
    "tools/greet.ts":
      'export const description = "Greets.";\nexport const handler = () => "hello";\n',
  });
  const env = { DENO_DIR: await ownCaches(sandbox.home) };
  const args = ["--agent", "demo", "--trust-tools", "--permissions", "allow"];
  const run = [...args, "-p", "call greet {}"];
  await runInShell(sandbox, run, { env });
  const script = 'ulimit -n 64; exec "$@"';
  const { status, stdout, stderr } = await runInShell(sandbox, run, { env, script });
  assert.equal(status, 0, stderr);
  assert.match(stdout, /hello/);
});

Deno.test("a session directory that vanishes costs what needs it, not the session", async () => {
  await using sandbox = await openSandbox();
  const script = 'mkdir gone; cd gone; "$@"; echo "status $?"';
  const agent = fileURLToPath(new URL("./vanishing_agent.ts", import.meta.url));
  const command = `'${Deno.execPath()}' run -A --no-check --quiet '${agent}'`;
  const { stdout } = await runInShell(
    sandbox,
    ["--agent", command, "--permissions", "allow", "-p", "first", "-p", "second"],
    { script },
  );
  assert.match(stdout, /^read refused, command refused$/m);
  assert.match(stdout, /^second$/m);
  assert.match(stdout, /^status 0$/m);
});

/** Lets the clock of the program jump a little after its start. */
const JUMPS = `const { now } = Date;
const start = performance.now();
Date.now = () => now() + (performance.now() - start > 300 ? Number(Deno.env.get("JUMP")) : 0);
`;

for (const [what, jump] of [["back", -86_400_000], ["ahead", 86_400_000]] as const) {
  Deno.test(`a clock that jumps a day ${what} changes nothing`, async () => {
    await using sandbox = await openSandbox();
    await Deno.writeTextFile(`${sandbox.home}/jumps.ts`, JUMPS);
    const { status, stdout, stderr } = await runInShell(
      sandbox,
      ["--agent", "demo", "--permissions", "allow", "--timeout", "20"].concat(
        ...["-p", "run sleep 1", "-p", "echo after"],
      ),
      { denoArgs: ["--preload", `${sandbox.home}/jumps.ts`], env: { JUMP: `${jump}` } },
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /after/);
    assert.doesNotMatch(stderr, /-\d+(\.\d+)? (s|min|h)/);
  });
}

Deno.test("a clock that is set while a question waits does not keep its answer back", async () => {
  await using sandbox = await openSandbox();
  // The clock is put back as soon as a file is there.
  const jump = `const { now } = Date;
let back = 0;
Date.now = () => {
  try {
    Deno.statSync(Deno.env.get("HOME") + "/jump");
    back = 86_400_000;
  } catch {
    // Not yet.
  }
  return now() - back;
};
`;
  await Deno.writeTextFile(`${sandbox.home}/jumps.ts`, jump);
  const [command = "", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [
      ...args.toSpliced(-1, 0, "--preload", `${sandbox.home}/jumps.ts`),
      ...["--agent", "demo"],
    ],
    cwd: sandbox.project,
    env: { ...sandbox.env },
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor(/idle/);
    await pty.write("run echo done\r");
    await screen.waitFor(/waiting for your answer/);
    await Deno.writeTextFile(`${sandbox.home}/jump`, "");
    await screen.waitFor(/waiting for your answer [1-9]\d* s/);
    await pty.write("1");
    await screen.waitFor(/^done$|idle/m);
    assert.doesNotMatch(screen.all(), /-\d+(\.\d+)? (s|min|h)/);
    // Once only: a second one soon after it would leave.
    await pty.write("\x03");
    await screen.waitFor(/again/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  } finally {
    await pty.kill();
  }
});
