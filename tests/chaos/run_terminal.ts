/**
 * One seed against the program in a pseudo-terminal.
 *
 * @module
 */

import { within } from "../../src/base/clock.ts";
import { Random } from "../support/chaos/random.ts";
import { peakMemory } from "../support/marked_processes.ts";
import { openPty } from "../support/pty.ts";
import { MAIN_COMMAND } from "../support/run_main.ts";
import { openScreen } from "../support/screen.ts";
import { foreignBytes, modesLeftOn } from "../support/terminal_bytes.ts";
import { answerFaults, memoryFaults, processFaults, textFaults } from "./invariants.ts";
import { type Front, Person } from "./person.ts";
import type { SeedResult } from "./run_prompts.ts";
import { openScene } from "./scene.ts";

/** How long leaving may take, in milliseconds. */
const LEAVE_MS = 10_000;

/** Runs turns of chaos, each followed by a prompt that must be answered, and says what is wrong. */
export async function runTerminalSeed(seed: number, front: Front): Promise<SeedResult> {
  const random = new Random(seed);
  const tools = random.chance(0.2);
  await using scene = await openScene(seed, { tools, person: true });
  const [command = "deno", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [
      ...args,
      ...["--agent", scene.agent, tools ? "--trust-tools" : "--no-tools"],
      ...(front === "tui" ? [] : ["--plain"]),
    ],
    cwd: scene.sandbox.project,
    env: { ...scene.env, NO_COLOR: random.chance(0.2) ? "1" : undefined },
    columns: random.int(20, 120),
    rows: random.int(8, 40),
  });
  const faults: string[] = [];
  let peak = 0;
  try {
    const person = new Person(front, pty, openScreen(pty), scene, random);
    await person.arrive();
    for (let turn = random.int(1, 2); turn > 0 && faults.length === 0; turn--) {
      await person.chaos(`${turn}`);
      await person.resize(random.int(60, 120), random.int(15, 40));
      const missing = await person.ping(`w${turn}`);
      if (missing !== undefined) faults.push(missing);
    }
    peak = await peakMemory(pty.pid);
    faults.push(...memoryFaults(peak));
    if (faults.length === 0) {
      const expected = await person.leave();
      const ended = await within(pty.exited, LEAVE_MS);
      const status = ended.ok ? ended.value : undefined;
      if (status !== expected) faults.push(`the exit status ${status} instead of ${expected}`);
      faults.push(...await processFaults(scene.mark));
      if (status !== undefined) {
        const modes = await pty.ttyModes();
        if (!/ icanon/.test(modes) || !/ echo /.test(modes)) faults.push("a raw terminal is left");
        faults.push(...modesLeftOn(pty.output).map((mode) => `the mode ${mode} is left on`));
      }
    }
    faults.push(...foreignBytes(pty.output, front).map((bytes) => `on the terminal: ${bytes}`));
    faults.push(...textFaults(new TextDecoder().decode(pty.output)));
    faults.push(...answerFaults(await scene.report()));
  } catch (error) {
    faults.push(String(error));
  } finally {
    await pty.kill();
    await processFaults(scene.mark);
  }
  return { faults, peak };
}
