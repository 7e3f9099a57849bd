/**
 * Plays a trace to the real program in a pseudo-terminal and reads the answers back from the screen.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { messageOf } from "../../src/base/errors.ts";
import type { SessionState } from "../../src/model/session.ts";
import { openPty } from "../support/pty.ts";
import { MAIN_COMMAND, openSandbox, type Sandbox } from "../support/run_main.ts";
import { openScreen } from "../support/screen.ts";
import { checkAgent } from "./check_run.ts";
import { checkScreen } from "./check_screen.ts";
import { forPerson, type PersonRun } from "./for_person.ts";
import { Person } from "./person.ts";
import type { PlayedTrace } from "./play_trace.ts";
import { directoryOf, formatTrace, parseTrace } from "./trace.ts";

const AGENT = fileURLToPath(new URL("../support/replay_agent.ts", import.meta.url));

/** Name of the agent in the configuration. */
const NAME = "recorded";

/** How a trace went in a terminal. */
export interface ShownTrace {
  /** Everything that is wrong. */
  readonly faults: readonly string[];
  /** How often the program was started. */
  readonly starts: number;
  /** Of the starts of the agent that nobody can play: why. */
  readonly left: readonly string[];
}

/**
 * Plays each run of a trace that a person can play. The texts of `played`, which the library took
 * from the same trace, are looked for on the screen.
 */
export async function playInTerminal(text: string, played: PlayedTrace): Promise<ShownTrace> {
  const faults: string[] = [];
  const left: string[] = [];
  const directory = directoryOf(parseTrace(text)) ?? "/nowhere";
  const runs = parseTrace(text).length;
  for (let index = 0; index < runs; index++) {
    await using sandbox = await openSandbox();
    const here = parseTrace(text.replaceAll(directory, sandbox.project))[index];
    const run = here === undefined ? "the run is empty" : forPerson(here);
    if (typeof run === "string") left.push(run);
    else faults.push(...await playRun(run, sandbox, played.runs[index] ?? [], played.cwd));
  }
  return { faults, starts: runs - left.length, left };
}

/** Plays one run; gives everything that is wrong. */
async function playRun(
  run: PersonRun,
  sandbox: Sandbox,
  states: readonly SessionState[],
  cwd: string,
): Promise<string[]> {
  const { project, home } = sandbox;
  const reportFile = `${home}/report.json`;
  await configure(sandbox, run, reportFile);
  const [command = "deno", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [
      ...[...args, "--no-tools", "--agent", NAME],
      ...(run.resume === undefined ? [] : ["--resume", run.resume]),
    ],
    cwd: project,
    env: sandbox.env,
    columns: 90,
    rows: 24,
  });
  try {
    const screen = openScreen(pty);
    await new Person(run, pty, screen, reportFile).play();
    const faults = checkAgent(run, JSON.parse(await Deno.readTextFile(reportFile)));
    return [...faults, ...checkScreen(screen.unwrapped(), states, cwd, project)];
  } catch (error) {
    return [messageOf(error)];
  } finally {
    await pty.kill();
  }
}

/** Makes the player of the run an agent of the configuration. */
async function configure(
  { home }: Sandbox,
  run: PersonRun,
  reportFile: string,
): Promise<void> {
  const traceFile = `${home}/trace.ndjson`;
  await Deno.writeTextFile(traceFile, formatTrace(run));
  const row = {
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", AGENT, traceFile, "0", reportFile, "--steady"],
    fs: run.fs,
  };
  await Deno.mkdir(`${home}/.config/mm-repl`, { recursive: true });
  await Deno.writeTextFile(
    `${home}/.config/mm-repl/config.jsonc`,
    JSON.stringify({ agents: { [NAME]: row } }),
  );
}
