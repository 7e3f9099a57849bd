/**
 * However the program ends, and whatever it is at: three seconds later nothing that it has started
 * is alive, and the terminal is as it was.
 *
 * @module
 */

import assert from "node:assert/strict";
import { markedProcesses, remainingProcesses } from "../support/marked_processes.ts";
import { eventually } from "../support/scripted_agent.ts";
import { modesLeftOn } from "../support/terminal_bytes.ts";
import { type Front, openStage, type Stage, type Staged } from "./stage.ts";

/** How long anything may outlive the program, in milliseconds. */
const GONE_MS = 3_000;
/** How long leaving itself may take, in milliseconds. */
const LEAVE_MS = 8_000;

/** A way out, and the status that it leads to; without one there is no terminal left to look at. */
interface Way {
  readonly status?: number;
  readonly leave: (staged: Staged) => Promise<void> | void;
}

const signal = (name: Deno.Signal, status: number): Way => ({
  status,
  leave: ({ pty }) => pty.signal(name),
});

/** Presses a key until the program is gone: in a turn some only cancel it, or ask again. */
const press = (keys: string, status: number): Way => ({
  status,
  async leave({ pty }) {
    let gone = false;
    void pty.exited.then(() => gone = true);
    for (let tries = 0; tries < 15 && !gone; tries++) {
      await pty.write(keys).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
  },
});

const WAYS: Readonly<Record<string, Way>> = {
  "/exit": press("/exit\r", 0),
  "Ctrl-D": press("\x04", 0),
  "Ctrl-C, twice": press("\x03", 130),
  SIGTERM: signal("SIGTERM", 143),
  SIGHUP: signal("SIGHUP", 129),
  SIGINT: signal("SIGINT", 130),
  SIGQUIT: signal("SIGQUIT", 131),
  SIGUSR1: signal("SIGUSR1", 138),
  SIGUSR2: signal("SIGUSR2", 140),
  SIGALRM: signal("SIGALRM", 142),
  SIGXCPU: signal("SIGXCPU", 152),
  SIGKILL: {
    async leave({ pty, mark }) {
      // In the first moments of the program nothing watches over it yet.
      await eventually("a watchdog", async () => {
        return (await markedProcesses(mark)).some(({ command }) => command.includes("begun"));
      });
      pty.signal("SIGKILL");
    },
  },
  "an error that nobody caught": { status: 1, leave: (staged) => staged.crash() },
  "the death of the agent, then Ctrl-D": {
    status: 0,
    async leave(staged) {
      const [pid = 0] = await staged.agent.pids();
      Deno.kill(pid, "SIGKILL");
      await staged.screen.waitFor(/agent gone|restart/);
      await press("\x04", 0).leave(staged);
    },
  },
  "the end of the window": {
    async leave({ mark }) {
      const processes = await markedProcesses(mark);
      const terminal = processes.find(({ command }) => command.split(" ")[0]?.endsWith("script"));
      if (terminal === undefined) throw new Error("there is no terminal");
      Deno.kill(terminal.pid, "SIGKILL");
    },
  },
};

const STAGES: Readonly<Record<Front, readonly Stage[]>> = {
  tui: ["starting", "opening", "idle", "busy", "asking", "editing"],
  lines: ["starting", "idle", "busy"],
  prompt: ["starting", "busy"],
};

/** Ways that a front end does not have. */
const WITHOUT: Readonly<Record<Front, readonly string[]>> = {
  tui: [],
  lines: ["SIGINT"],
  // Nobody types, and its shell would pass on that the window has gone.
  prompt: [
    ...["/exit", "Ctrl-D", "Ctrl-C, twice"],
    ...["the death of the agent, then Ctrl-D", "the end of the window"],
  ],
};

/** Ways that begin with a key, which the person's editor takes while it has the terminal. */
const KEYS = ["/exit", "Ctrl-D", "Ctrl-C, twice", "the death of the agent, then Ctrl-D"];

async function leaves(stage: Stage, front: Front, name: string, way: Way): Promise<string[]> {
  await using staged = await openStage(stage, front);
  const { pty, mark } = staged;
  await way.leave(staged);
  const status = await Promise.race([
    pty.exited,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), LEAVE_MS)),
  ]);
  const faults: string[] = [];
  if (way.status !== undefined && status !== way.status) {
    faults.push(`status ${status} instead of ${way.status}`);
  }
  for (const left of await remainingProcesses(mark, GONE_MS)) {
    faults.push(`alive: ${left.pid} ${left.command.slice(0, 80)}`);
  }
  if (way.status !== undefined && status !== undefined) {
    const modes = await pty.ttyModes();
    if (!/ icanon/.test(modes) || !/ echo /.test(modes)) faults.push("the terminal is raw");
    faults.push(...modesLeftOn(pty.output).map((mode) => `${mode} is on`));
  }
  return faults.map((fault) => `${name} while ${stage} (${front}): ${fault}`);
}

for (const [front, stages] of Object.entries(STAGES) as [Front, readonly Stage[]][]) {
  for (const stage of stages) {
    Deno.test({
      name: `nothing is left behind when the program ends while ${stage} (${front})`,
      ignore: Deno.build.os !== "linux",
      async fn() {
        const ways = Object.entries(WAYS).filter(([name]) =>
          !WITHOUT[front].includes(name) && !(stage === "editing" && KEYS.includes(name))
        );
        const faults = await Promise.all(
          ways.map(([name, way]) => leaves(stage, front, name, way)),
        );
        assert.deepEqual(faults.flat(), []);
      },
    });
  }
}
