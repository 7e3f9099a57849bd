/**
 * The program without a subcommand: the REPL, or one run with `-p`.
 *
 * @module
 */

import type { AppOptions } from "../app/options.ts";
import type { App } from "../app/view.ts";
import { within } from "../base/clock.ts";
import { ERROR_TABLE, MmError, toMmError } from "../base/errors.ts";
import type { RunPromptsOptions } from "../front/json/mod.ts";
import { startEarly } from "../process/early_start.ts";
import { appOptions, isPlain, loadSetup, type Setup } from "./app_options.ts";
import type { CommandInput } from "./command.ts";
import { printErr, printOut } from "./output.ts";
import { onRestoreTerminal } from "./terminal_state.ts";
import { type Running, untilEnd } from "./until_end.ts";
import type { Values } from "./values.ts";
import { VERSION } from "./version.ts";

/** Flags that make sense with `-p` only. */
const RUN_FLAGS = ["output", "quiet", "timeout"] as const;

/** Runs the program and gives its exit status. */
export async function start(input: CommandInput): Promise<number> {
  const { values } = input;
  if (values.has("version")) {
    await printOut(`mm-repl ${VERSION}\n`);
    return 0;
  }
  if (values.has("prompt")) return await startRun(input);
  const unused = RUN_FLAGS.find((name) => values.has(name));
  if (unused !== undefined) {
    throw new MmError("usage", `Cannot use --${unused} without a prompt`, {
      hint: "Give the prompt with -p.",
    });
  }
  const interactive = Deno.stdin.isTerminal() && Deno.stdout.isTerminal();
  const examine = async () => (await import("./checks.ts")).runChecks(values);
  return await runRepl({ ...await openOptions(input, interactive), examine }, input);
}

/** Runs what `-p` gives. A run that fails before it begins says so in the form of its output too. */
async function startRun(input: CommandInput): Promise<number> {
  const { values } = input;
  const output = values.word("output", ["text", "json", "stream-json"]) ?? "text";
  try {
    const { checkPrompts } = await import("./prompts.ts");
    const prompts = values.texts("prompt");
    checkPrompts(prompts);
    const options = await openOptions(input, false);
    const run = await openPrompts(prompts, options);
    return await runOnce(options, { ...run, output, quiet: values.has("quiet") });
  } catch (error) {
    if (output !== "text") {
      const { writeFailedRun } = await import("../front/json/mod.ts");
      await writeFailedRun(toMmError(error), output);
    }
    throw error;
  }
}

async function openOptions(input: CommandInput, interactive: boolean): Promise<AppOptions> {
  const setup = await agreedSetup(input.values, interactive);
  return await appOptions(setup, input, interactive);
}

/** The configuration, after asking about what a project's file would widen where someone is there. */
async function agreedSetup(values: Values, interactive: boolean): Promise<Setup> {
  const setup = await loadSetup(values);
  const request = setup.config.needsConfirmation;
  if (request === undefined) return setup;
  const { confirmProjectFile, leftOutLine } = await import("./confirm_project.ts");
  if (!interactive) {
    printErr(leftOutLine(request));
    return setup;
  }
  return await confirmProjectFile(setup.paths, request) ? await loadSetup(values) : setup;
}

async function runRepl(options: AppOptions, input: CommandInput): Promise<number> {
  const { interactive, settings } = options;
  const full = interactive && !isPlain(settings);
  const starting = (full ? startTui : startLine)(startingAgent(options));
  const { status, app } = await untilEnd(starting, { own: full ? [] : ["SIGINT"] });
  if (interactive && app !== undefined) {
    if ((app.unsent ?? []).length > 0) {
      const { unsentLines } = await import("./unsent_lines.ts");
      unsentLines(app, settings).forEach(printErr);
    }
    await printResumeLine(app, input);
  }
  if (!full && status === ERROR_TABLE.usage.exit) {
    printErr("Give prompts with -p, or on stdin, one a line; see `mm-repl --help`.");
  }
  return status;
}

async function printResumeLine(app: App, input: CommandInput): Promise<void> {
  const { resumeLine } = await import("./resume_line.ts");
  const line = resumeLine(app, input);
  if (line !== undefined) printErr(line);
}

/**
 * Starts the agent before the program is loaded that talks to it: both take their time. A trace is to
 * have the agent's stderr from its first line on, so with one the agent waits.
 */
function startingAgent(options: AppOptions): AppOptions {
  const { spec, tap, cwd, agentCwd = cwd } = options;
  if (spec.kind !== "process" || tap !== undefined || /\.exe$/i.test(spec.command)) return options;
  const { command, args, env } = spec;
  return { ...options, startAgent: startEarly({ command, args, env, cwd: agentCwd }) };
}

async function startTui(options: AppOptions): Promise<Running> {
  const { createApp } = await import("../app/app.ts");
  const app = createApp(options);
  const ended = import("../front/tui/mod.ts").then((front) => {
    onRestoreTerminal(front.restoreTerminal);
    return front.runTui(app, options);
  });
  return { app, ended };
}

async function startLine(options: AppOptions): Promise<Running> {
  const [{ createApp }, { runLine }, { chooseTheme }] = await Promise.all([
    import("../app/app.ts"),
    import("../front/line/mod.ts"),
    import("../front/tui/theme.ts"),
  ]);
  const app = createApp(options);
  const color = options.settings?.color;
  const colour = chooseTheme({ color, env: (name) => Deno.env.get(name) }) !== "plain";
  return { app, ended: runLine(app, { colour }) };
}

/** What `-p` runs, and how long it may take. */
interface Run {
  readonly prompts: readonly string[];
  readonly timeoutMs?: number;
  readonly spentMs?: number;
}

/** Completes the prompts from stdin, before anything starts; that counts as time of the run. */
async function openPrompts(given: readonly string[], { settings }: AppOptions): Promise<Run> {
  const begun = performance.now();
  const input = { readable: Deno.stdin.readable, terminal: Deno.stdin.isTerminal() };
  const { completePrompts } = await import("./prompts.ts");
  const reading = completePrompts(given, input);
  if (settings?.timeout === undefined) return { prompts: await reading };
  const timeoutMs = settings.timeout * 1_000;
  const read = await within(reading, timeoutMs);
  const spentMs = performance.now() - begun;
  if (read.ok && spentMs < timeoutMs) return { prompts: read.value, timeoutMs, spentMs };
  const bound = `${settings.timeout} s of --timeout`;
  throw new MmError("timeout", `Cannot run the prompt: the ${bound} went by while stdin was read`, {
    hint: "Without anything to read there, give it </dev/null.",
  });
}

async function runOnce(options: AppOptions, run: RunPromptsOptions): Promise<number> {
  return (await untilEnd(startPrompts(startingAgent(options), run))).status;
}

async function startPrompts(options: AppOptions, run: RunPromptsOptions): Promise<Running> {
  const [{ createApp }, { runPrompts }] = await Promise.all([
    import("../app/app.ts"),
    import("../front/json/mod.ts"),
  ]);
  const app = createApp(options);
  return { app, ended: runPrompts(app, run) };
}
