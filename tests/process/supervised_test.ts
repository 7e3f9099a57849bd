import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { loadProcessTable } from "../../src/process/process_table.ts";
import {
  killAllProcesses,
  type ProcessSpec,
  startProcess,
  type SupervisedProcess,
} from "../../src/process/supervised.ts";
import { liveGroups } from "../support/live_groups.ts";

const GRACE = { graceMs: 100 };

function sh(script: string, more: Partial<ProcessSpec> = {}): Promise<SupervisedProcess> {
  return startProcess({ command: "sh", args: ["-c", script], cwd: "/", ...more });
}

function lives(pid: number): boolean {
  return loadProcessTable().some((row) => row.pid === pid && !row.zombie);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, "the condition did not come true");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Reads numbers that the script prints, one a line, until there are `count` of them. */
async function readPids(process: SupervisedProcess, count: number): Promise<number[]> {
  const reader = process.stdout.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (text.split("\n").length <= count) {
    const { value, done } = await reader.read();
    assert.ok(!done, "stdout ended early");
    text += decoder.decode(value, { stream: true });
  }
  void reader.cancel();
  return text.trim().split("\n").map(Number);
}

async function readAll(process: SupervisedProcess): Promise<string> {
  return await new Response(process.stdout).text();
}

Deno.test("startProcess() runs in the directory with the environment it is given", async () => {
  const process = await sh('echo "$PWD $A"; cat', { env: { A: "1 2" } });
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode("in"));
  await writer.close();
  assert.equal(await readAll(process), "/ 1 2\nin");
  assert.deepEqual(await process.exited, { code: 0, signal: null });
  assert.ok(!liveGroups().includes(process.pid));
});

Deno.test("startProcess() passes nothing on with clearEnv, and can leave stdin closed", async () => {
  const process = await startProcess({
    command: "/bin/sh",
    args: ["-c", 'echo "[$HOME]"; cat'],
    cwd: "/",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    stdin: "null",
  });
  assert.equal(await readAll(process), "[]\n");
  await process.exited;
});

Deno.test("startProcess() tells a missing command, directory and permission apart", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/plain`, "echo hi");
    await Deno.writeTextFile(`${directory}/script`, "#!/no/such/interpreter\n");
    await Deno.chmod(`${directory}/script`, 0o755);
    const cases: [Partial<ProcessSpec>, string, RegExp][] = [
      [{ command: "no-such-agent" }, "agent_not_found", /"no-such-agent": command not found/],
      [{ command: "/no/such/agent" }, "agent_not_found", /no such file/],
      [{ cwd: "/no/such/dir" }, "agent_directory", /\/no\/such\/dir does not exist/],
      [{ cwd: `${directory}/plain` }, "agent_directory", /is not a directory/],
      [{ command: `${directory}/plain` }, "agent_not_found", /not an executable file/],
      [{ command: `${directory}/script` }, "agent_not_found", /interpreter/],
    ];
    for (const [spec, code, message] of cases) {
      await assert.rejects(
        startProcess({ command: "sh", args: [], cwd: directory, ...spec }),
        (error) =>
          error instanceof MmError && error.code === code && message.test(error.message) &&
          error.hint !== undefined,
        `${message}`,
      );
    }
    await assert.rejects(
      startProcess({ command: "no-such-agent", args: [], cwd: "/" }),
      (error) => error instanceof MmError && /PATH/.test(error.hint ?? ""),
    );
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("exited gives the signal and no status when a signal ended the process", async () => {
  const process = await sh("kill -9 $$");
  await process.stdout.cancel();
  assert.deepEqual(await process.exited, { code: null, signal: "SIGKILL" });
});

Deno.test("stop() lets a process end by itself when its stdin closes", async () => {
  const process = await sh("cat; echo bye >&2; exit 3");
  await process.stdout.cancel();
  await process.stop({ graceMs: 5000 });
  assert.deepEqual(await process.exited, { code: 3, signal: null });
  assert.equal(process.stderr(), "bye\n");
});

Deno.test("stop() ends children that ignore SIGTERM", async () => {
  const process = await sh(
    `trap "" TERM; sh -c 'trap "" TERM; echo $$; while :; do sleep 60; done' & echo $$; wait`,
  );
  const pids = await readPids(process, 2);
  assert.ok(pids.every(lives));
  const stopping = process.stop(GRACE);
  assert.equal(process.stop(), stopping);
  await stopping;
  assert.deepEqual(pids.filter(lives), []);
  assert.deepEqual(await process.exited, { code: null, signal: "SIGKILL" });
});

Deno.test("stop() gives children the chance to clean up on SIGTERM", async () => {
  const process = await sh(
    `trap 'echo cleaned >&2; exit 0' TERM; echo $$; while :; do sleep 0.02; done`,
  );
  await readPids(process, 1);
  await process.stop({ graceMs: 300 });
  assert.match(process.stderr(), /cleaned\n$/);
});

Deno.test("stop() reaches grandchildren in a session of their own", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  const process = await sh(
    `setsid sh -c 'trap "" TERM; sleep 600 & echo $$; echo $!; wait' & wait`,
  );
  const pids = await readPids(process, 2);
  assert.ok(pids.every(lives));
  await process.stop(GRACE);
  assert.deepEqual(pids.filter(lives), []);
});

Deno.test("stop() ends what a process left behind when it ended by itself", async () => {
  const process = await sh(`sleep 600 2>/dev/null & echo $!; exit 0`);
  const pids = await readPids(process, 1);
  await process.exited;
  assert.ok(pids.every(lives));
  assert.ok(liveGroups().includes(process.pid));
  await process.stop(GRACE);
  assert.deepEqual(pids.filter(lives), []);
  assert.ok(!liveGroups().includes(process.pid));
});

Deno.test("exited does not wait for a descendant that holds stderr open", async () => {
  const process = await sh(`echo last >&2; sleep 600 & echo $!; exit 4`);
  const pids = await readPids(process, 1);
  assert.equal((await process.exited).code, 4);
  assert.equal(process.stderr(), "last\n");
  await process.stop(GRACE);
  assert.deepEqual(pids.filter(lives), []);
});

Deno.test("killAllProcesses() ends every tree without waiting", async () => {
  const processes = await Promise.all(
    [1, 2].map(() => sh(`trap "" TERM; sleep 600 & echo $$; echo $!; wait`)),
  );
  const pids = (await Promise.all(processes.map((process) => readPids(process, 2)))).flat();
  killAllProcesses();
  await until(() => !pids.some(lives));
  await Promise.all(processes.map((process) => process.exited));
  assert.deepEqual(liveGroups(), []);
});

Deno.test("stdin drops what is written to a dead process", async () => {
  const process = await sh("exit 0");
  await process.stdout.cancel();
  await process.exited;
  const writer = process.stdin.getWriter();
  for (let round = 0; round < 3; round++) void writer.write(new Uint8Array(100_000));
  await writer.write(new Uint8Array(1));
  await process.stdinEnded;
});

Deno.test("stdinEnded settles when a living process closes its stdin", async () => {
  const process = await sh("exec 0<&-; echo 1; exec sleep 600");
  await readPids(process, 1);
  const writer = process.stdin.getWriter();
  await writer.write(new Uint8Array(1));
  await process.stdinEnded;
  await process.stop({ graceMs: 50 });
});

Deno.test("stderr is drained without bound and kept with one", async () => {
  let seen = 0;
  const process = await sh(
    "head -c 200000000 /dev/zero | tr '\\0' x >&2; echo; echo the end >&2; echo done",
    { stderrLimit: 1000, onStderr: (text) => seen += text.length },
  );
  assert.equal(await readAll(process), "\ndone\n");
  await process.exited;
  assert.ok(seen >= 200_000_000);
  const tail = process.stderr();
  assert.ok(tail.endsWith("xxthe end\n"));
  assert.ok(tail.length <= 1000);
});

Deno.test("onStderrLine() tells whole lines, the last one without newline too", async () => {
  const process = await sh("read go; printf 'one\\r\\ntwo\\n' >&2; printf three >&2");
  const lines: string[] = [];
  const stop = process.onStderrLine((line) => lines.push(line));
  const writer = process.stdin.getWriter();
  await writer.write(new TextEncoder().encode("go\n"));
  await process.stdout.cancel();
  await process.exited;
  stop();
  assert.deepEqual(lines, ["one", "two", "three"]);
});

Deno.test("stop(), kill() and killAllProcesses() end a process that is said to be alone", async () => {
  for (const end of ["stop", "kill", "all"]) {
    const process = await sh("trap '' TERM; echo ready; exec sleep 600", { isAlone: true });
    const reader = process.stdout.getReader();
    await reader.read();
    if (end === "stop") await process.stop(GRACE);
    else if (end === "kill") process.kill();
    else killAllProcesses();
    assert.deepEqual(await process.exited, { code: null, signal: "SIGKILL" });
    await reader.cancel();
    assert.deepEqual(liveGroups(), []);
  }
});

Deno.test({
  name: "stop() leaves alone what the desktop has started for a program, and ends other leftovers",
  ignore: Deno.build.os !== "linux",
  async fn() {
    // Both have left the group and have lost their parent.
    const start = (variable: string) => `(${variable} setsid sleep 961 & echo $!)`;
    const process = await sh(
      `${start("GIO_LAUNCHED_DESKTOP_FILE=/b.desktop")}; ${start("OTHER=1")}; exec cat >/dev/null`,
    );
    const [browser = 0, daemon = 0] = await readPids(process, 2);
    try {
      await until(() => {
        const rows = loadProcessTable().filter(({ pid }) => pid === browser || pid === daemon);
        return rows.length === 2 && rows.every(({ pid, pgid }) => pid === pgid);
      });
      await process.stop(GRACE);
      assert.ok(!lives(daemon));
      assert.ok(lives(browser));
    } finally {
      for (const pid of [browser, daemon]) if (lives(pid)) Deno.kill(pid, "SIGKILL");
    }
  },
});
