/**
 * Plays a trace to the real program in a pseudo-terminal and reads the answers back from the screen.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { messageOf } from "../../src/base/errors.ts";
import { asArray, asObject, asString } from "../../src/base/guards.ts";
import { openPty } from "../support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "../support/run_main.ts";
import { openScreen } from "../support/screen.ts";
import { checkAgent } from "./check_run.ts";
import { checkScreen } from "./check_screen.ts";
import { chosenOption, Person } from "./person.ts";
import type { PlayedTrace } from "./play_trace.ts";
import { answerTo, directoryOf, parseTrace, queued, type Run, type Step } from "./trace.ts";

const AGENT = fileURLToPath(new URL("../support/replay_agent.ts", import.meta.url));

/** Says why a person in a terminal cannot do what the recorded client did; `undefined` if one can. */
export function whyNotInTerminal(text: string): string | undefined {
  const runs = parseTrace(text);
  const [run] = runs;
  if (run === undefined || runs.length > 1) return "the agent is started several times";
  if (queued(run.steps).some((step, index) => step !== run.steps[index])) {
    return "prompts are given while a turn runs";
  }
  const opened = run.steps.filter((step) => "method" in step && step.method === "session/new");
  if (opened.length !== 1) return "there is not one session";
  return run.steps.map((step) => whyNot(run, step)).find((why) => why !== undefined);
}

function whyNot(run: Run, step: Step): string | undefined {
  if (step.type === "answer" || step.type === "line") return undefined;
  const { method, params } = step;
  if (step.by === "agent") {
    if (method === "elicitation/create") return "forms are asked";
    if (step.type !== "request") return undefined;
    const answer = answerTo(run.steps, step);
    if (method.startsWith("fs/") && answer !== undefined && "error" in answer) {
      return "a file is refused";
    }
    if (method !== "session/request_permission") return undefined;
    const chosen = chosenOption(run, step);
    return chosen === undefined ? "a question is dismissed" : undefined;
  }
  switch (method) {
    case "initialize": {
      const { readTextFile, writeTextFile } = asObject(asObject(params.clientCapabilities).fs);
      return readTextFile && writeTextFile ? undefined : "files are not offered";
    }
    case "session/new":
    case "session/cancel":
      return undefined;
    case "session/prompt": {
      const [block, ...more] = asArray(params.prompt);
      const isText = asString(asObject(block).text) !== undefined && more.length === 0;
      return isText ? undefined : "a prompt is more than text";
    }
    default:
      return `the client sends ${method}`;
  }
}

/**
 * Plays the only run of a trace. The texts of `played`, which the library took from the same trace,
 * are looked for on the screen. Gives everything that is wrong.
 */
export async function playInTerminal(text: string, played: PlayedTrace): Promise<string[]> {
  await using sandbox = await openSandbox();
  const { project, home } = sandbox;
  const here = text.replaceAll(directoryOf(parseTrace(text)) ?? "/nowhere", project);
  const [run] = parseTrace(here);
  if (run === undefined) return ["the trace is empty"];
  const traceFile = `${home}/trace.ndjson`;
  const reportFile = `${home}/report.json`;
  await Deno.writeTextFile(traceFile, here);
  const agent = [Deno.execPath(), "run", "-A", "--no-check", AGENT]
    .concat(traceFile, "0", reportFile, "--steady");
  const [command = "deno", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [...args, "--no-tools", "--agent", agent.map((word) => `'${word}'`).join(" ")],
    cwd: project,
    env: sandbox.env,
    columns: 90,
    rows: 24,
  });
  try {
    const screen = openScreen(pty);
    await new Person(run, pty, screen, reportFile).play();
    const faults = checkAgent(run, JSON.parse(await Deno.readTextFile(reportFile)));
    const { states, cwd } = played;
    return [...faults, ...checkScreen(screen.unwrapped(), states, cwd, project)];
  } catch (error) {
    return [messageOf(error)];
  } finally {
    await pty.kill();
  }
}
