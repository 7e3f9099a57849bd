import assert from "node:assert/strict";
import { MARK_VARIABLE, markedProcesses, remainingProcesses } from "../support/marked_processes.ts";
import { eventually } from "../support/scripted_agent.ts";

const SUPERVISED = new URL("../../src/process/supervised.ts", import.meta.url).href;
const WATCHDOG = new URL("../../src/process/watchdog.ts", import.meta.url).href;

/** A program that starts two processes with a child each, ends the first one, and stays. */
const PROGRAM = `
  const { openWatchdog } = await import(${JSON.stringify(WATCHDOG)});
  const { startProcess } = await import(${JSON.stringify(SUPERVISED)});
  const watchdog = openWatchdog();
  const spec = { command: "sh", args: ["-c", "setsid sleep 951 & sleep 952"], cwd: "/" };
  if (Deno.args[0] === "browse") {
    const browser = "GIO_LAUNCHED_DESKTOP_FILE=/b.desktop setsid sleep 954 &";
    await startProcess({ ...spec, args: ["-c", browser + "setsid sleep 953 & sleep 952"] });
  } else {
    const first = await startProcess(spec);
    await startProcess(spec);
    await first.stop({ graceMs: 0 });
  }
  if (Deno.args[0] === "leave") {
    await new Promise((resolve) => setTimeout(resolve, 300));
    watchdog[Symbol.dispose]();
    Deno.exit(0);
  }
`;

async function withProgram(
  args: readonly string[],
  use: (child: Deno.ChildProcess, mark: string) => Promise<void>,
): Promise<void> {
  const mark = crypto.randomUUID();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", PROGRAM, "--", ...args],
    env: { [MARK_VARIABLE]: mark },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await use(child, mark);
  } finally {
    for (const { pid } of await markedProcesses(mark)) Deno.kill(pid, "SIGKILL");
    await child.status;
  }
}

const sleeps = async (mark: string) =>
  (await markedProcesses(mark)).filter(({ command }) => command.startsWith("sleep"));

Deno.test({
  name: "openWatchdog() ends what a program has started when that is killed",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withProgram([], async (child, mark) => {
      await eventually("a watchdog, and the second process alone", async () => {
        const dog = (await markedProcesses(mark)).some(({ command }) => /begun/.test(command));
        return dog && (await sleeps(mark)).length === 2;
      });
      child.kill("SIGKILL");
      assert.deepEqual(await remainingProcesses(mark, 3_000), []);
    });
  },
});

Deno.test({
  name: "openWatchdog() leaves alone what the desktop has started for a program, and nothing else",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withProgram(["browse"], async (child, mark) => {
      await eventually("a watchdog, and all processes", async () => {
        const dog = (await markedProcesses(mark)).some(({ command }) => /begun/.test(command));
        return dog && (await sleeps(mark)).length === 3;
      });
      child.kill("SIGKILL");
      await eventually("the others are gone", async () => (await sleeps(mark)).length === 1);
      const left = await remainingProcesses(mark, 500);
      assert.deepEqual(left.map(({ command }) => command.split(" ", 2).join(" ")), ["sleep 954"]);
    });
  },
});

Deno.test({
  name: "openWatchdog() ends nothing once it is disposed of, and is gone itself",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await withProgram(["leave"], async (child, mark) => {
      assert.equal((await child.status).code, 0);
      await eventually("the watchdog is gone", async () => {
        return !(await markedProcesses(mark)).some(({ command }) => /begun/.test(command));
      });
      assert.equal((await sleeps(mark)).length, 2);
    });
  },
});
