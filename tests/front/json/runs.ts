/**
 * Runs of the real program against scripted agents.
 *
 * @module
 */

import {
  MAIN_COMMAND,
  openSandbox,
  runMain,
  type RunOptions,
  type RunResult,
} from "../../support/run_main.ts";
import {
  commandLine,
  HANDSHAKE,
  PROMPT,
  type ScriptedAgent,
  scriptedAgent,
  type Step,
} from "../../support/scripted_agent.ts";

/** Ends a turn with this reason. */
export function stop(stopReason: string): Step {
  return { respond: { stopReason }, to: "session/prompt" };
}

/** Runs the program with `-p go` against an agent that plays the steps after the handshake and the prompt. */
export function runTurn(
  steps: readonly Step[],
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<RunResult> {
  return runScript([...HANDSHAKE, PROMPT, ...steps], ["-p", "go", ...args], options);
}

/** Runs the program against an agent that plays the steps. */
export async function runScript(
  steps: readonly Step[],
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  await using agent = await scriptedAgent(steps);
  await using sandbox = await openSandbox();
  return await runMain(sandbox, ["--agent", commandLine(agent), ...args], options);
}

/** A run whose pipes the test holds. */
export function spawnRun(
  agent: ScriptedAgent,
  { env, project }: { readonly env: Readonly<Record<string, string>>; readonly project: string },
  args: readonly string[],
  stdin: "null" | "piped" = "null",
): Deno.ChildProcess {
  const [program = "deno", ...rest] = MAIN_COMMAND;
  return new Deno.Command(program, {
    args: [...rest, "--agent", commandLine(agent), ...args],
    cwd: project,
    clearEnv: true,
    env: { ...env },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}
