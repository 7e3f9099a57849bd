/**
 * One seed against a run with `-p`.
 *
 * @module
 */

import { ERROR_TABLE } from "../../src/base/errors.ts";
import { Random } from "../support/chaos/random.ts";
import { peakMemory } from "../support/marked_processes.ts";
import { MAIN_COMMAND } from "../support/run_main.ts";
import { answerFaults, memoryFaults, processFaults, textFaults } from "./invariants.ts";
import { openScene } from "./scene.ts";

/** The bound that the run is given, and how long after it the run may still be there. */
const TIMEOUT_S = 6;
const LATE_MS = 15_000;

/** What a seed came to. */
export interface SeedResult {
  readonly faults: readonly string[];
  /** The most memory that the program has had resident, in bytes. */
  readonly peak: number;
}

/** Runs two prompts, the first of them chaos, and says what is wrong. */
export async function runPromptsSeed(seed: number): Promise<SeedResult> {
  const random = new Random(seed);
  const tools = random.chance(0.3);
  await using scene = await openScene(seed, { tools, person: false });
  const output = random.pick(["text", "json", "stream-json"]);
  const [command = "deno", ...args] = MAIN_COMMAND;
  const child = new Deno.Command(command, {
    args: [
      ...args,
      ...["--agent", scene.agent, "--output", output, "--timeout", `${TIMEOUT_S}`],
      ...["--permissions", random.pick(["deny", "allow", "reads"])],
      tools ? "--trust-tools" : "--no-tools",
      ...["-p", "chaos", "-p", "ping end"],
    ],
    cwd: scene.sandbox.project,
    clearEnv: true,
    env: scene.env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let peak = 0;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await peakMemory(child.pid));
  }, 100);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, TIMEOUT_S * 1_000 + LATE_MS);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  clearInterval(watch);
  const said = new TextDecoder().decode(stdout);
  const told = new TextDecoder().decode(stderr);
  const faults = [
    ...(late ? ["it did not end"] : []),
    ...await processFaults(scene.mark),
    ...statusFaults(code),
    ...outputFaults(said, output),
    ...(hasControls(told) ? ["a control character on stderr"] : []),
    ...textFaults(told),
    ...(code === ERROR_TABLE.internal.exit && /internal/.test(told) ? ["an internal error"] : []),
    ...memoryFaults(peak),
    ...answerFaults(await scene.report()),
    ...(code === 0 && !said.includes("pong end") ? ["0, and no answer to the second prompt"] : []),
  ];
  return { faults: faults.map((fault) => `${fault} (status ${code})`), peak };
}

function statusFaults(code: number): string[] {
  const known = Object.values(ERROR_TABLE).some(({ exit }) => exit === code);
  return known || code === 0 ? [] : [`the exit status ${code}`];
}

function outputFaults(text: string, output: string): string[] {
  const documents = output === "text" ? [] : output === "json" ? [text] : text.split("\n");
  const faults = documents.filter((one) => one.trim() !== "" && !isJson(one))
    .map((one) => `no JSON: ${one.slice(0, 100)}`);
  return text === "" || text.endsWith("\n") ? faults : [...faults, "the last line has no end"];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function hasControls(text: string): boolean {
  // deno-lint-ignore no-control-regex
  return /[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
}
