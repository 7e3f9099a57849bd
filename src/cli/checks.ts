/**
 * The checks of `mm-repl doctor`.
 *
 * @module
 */

import type { Finding } from "../app/options.ts";
import { messageOf, MmError } from "../base/errors.ts";
import { agentNotFound, resolveAgent } from "../config/agents.ts";
import { findPaths, type Paths } from "../config/paths.ts";
import { describeAgent } from "../model/agent_spec.ts";
import { findProgram } from "../process/find_program.ts";
import { loadSetup, type Setup } from "./app_options.ts";
import { renderProblems, reportTools } from "../toolbox/report.ts";
import { toolboxOptions } from "./toolbox_options.ts";
import type { Values } from "./values.ts";

/** The Deno that this is tested with, and the oldest that will do. */
const OLDEST_DENO = [2, 9] as const;

/** Runs every check. Never rejects: what a check throws is what it found. */
export async function runChecks(values: Values): Promise<Finding[]> {
  const paths = findPaths();
  const checks = [checkDeno(), checkSystem(), checkTerminal()];
  for (const [what, dir] of Object.entries(directoriesOf(paths))) {
    checks.push(await checkDirectory(what, dir));
  }
  try {
    const setup = await loadSetup(values);
    checks.push(...checkConfig(setup), await checkAgent(setup, values));
    checks.push(...await checkTools(setup, values));
  } catch (error) {
    checks.push({
      state: "fail",
      what: "configuration",
      found: messageOf(error),
      mend: error instanceof MmError ? error.hint : undefined,
    });
  }
  return checks;
}

function checkDeno(): Finding {
  const { deno } = Deno.version;
  const [major = 0, minor = 0] = deno.split(".").map(Number);
  const [needMajor, needMinor] = OLDEST_DENO;
  const good = major > needMajor || (major === needMajor && minor >= needMinor);
  const found = Deno.build.standalone ? `${deno}, built in` : `${deno} at ${Deno.execPath()}`;
  if (good) return { state: "ok", what: "Deno", found };
  const mend = `Upgrade to Deno ${OLDEST_DENO.join(".")} or newer: deno upgrade.`;
  return { state: "fail", what: "Deno", found, mend };
}

function checkSystem(): Finding {
  const { os, arch } = Deno.build;
  const what = "system";
  if (os === "linux" || os === "darwin") return { state: "ok", what, found: `${os} ${arch}` };
  return { state: "warn", what, found: `${os} ${arch}`, mend: "It is untested here; use WSL." };
}

function checkTerminal(): Finding {
  const what = "terminal";
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) {
    return {
      state: "warn",
      what,
      found: "stdin or stdout is not a terminal",
      mend: "Run it in a terminal for the full screen; else it works line by line.",
    };
  }
  const term = Deno.env.get("TERM") ?? "";
  const { columns, rows } = Deno.consoleSize();
  const found = `${term || "TERM is not set"}, ${columns} columns, ${rows} rows`;
  if (term !== "" && term !== "dumb") return { state: "ok", what, found };
  return { state: "warn", what, found, mend: "Set TERM (for example xterm-256color)." };
}

function directoriesOf(paths: Paths): Record<string, string> {
  return { "state directory": paths.stateDir, "cache directory": paths.cacheDir };
}

async function checkDirectory(what: string, dir: string): Promise<Finding> {
  try {
    await Deno.mkdir(dir, { recursive: true, mode: 0o700 });
    const file = await Deno.makeTempFile({ dir, prefix: ".doctor-" });
    await Deno.remove(file);
    return { state: "ok", what, found: dir };
  } catch (error) {
    return {
      state: "warn",
      what,
      found: `${dir} cannot be written: ${messageOf(error)}`,
      mend: "Nothing is remembered between runs; check the owner and mode of the directory.",
    };
  }
}

function checkConfig({ config }: Setup): Finding[] {
  const what = "configuration";
  const found = config.files.length === 0 ? "no files; defaults" : config.files.join(", ");
  const warnings = config.warnings.map((line): Finding => ({
    state: "warn",
    what,
    found: line,
    mend: "`mm-repl config list` lists the keys.",
  }));
  const held = config.needsConfirmation;
  const asked: Finding[] = held === undefined ? [] : [{
    state: "warn",
    what,
    found: `${held.file} asks for ${held.items.map((item) => item.key).join(", ")}`,
    mend: "Start mm-repl in a terminal there to agree, or leave it.",
  }];
  return [{ state: "ok", what, found }, ...warnings, ...asked];
}

async function checkAgent({ config }: Setup, values: Values): Promise<Finding> {
  const what = "agent";
  const { settings } = config;
  const wanted = values.text("agent") ?? settings.agent ?? "mm";
  const agent = resolveAgent(wanted, { settings, base: Deno.cwd() });
  const { spec } = agent;
  if (spec.kind !== "process") {
    return {
      state: "ok",
      what,
      found: spec.kind === "remote" ? describeAgent(spec) : "the embedded one",
    };
  }
  const path = await findProgram(spec.command, { cwd: Deno.cwd(), path: spec.env?.PATH });
  if (path !== undefined) {
    return { state: "ok", what, found: describeAgent({ ...spec, command: path }) };
  }
  const { message, hint } = agentNotFound(agent, settings);
  return { state: "fail", what, found: message, mend: hint };
}

async function checkTools(setup: Setup, values: Values): Promise<Finding[]> {
  const what = "tools";
  const options = toolboxOptions(setup, values, {});
  const { tools, problems } = await reportTools(options);
  const names = tools.map((tool) => tool.name).join(", ");
  const where = options.directories.map(({ path }) => path).join(", ");
  return [
    { state: "ok", what, found: `${names === "" ? "none" : names}, in ${where || "no directory"}` },
    ...renderProblems(problems).map((line): Finding => ({
      state: "warn",
      what,
      found: line,
      mend: "The tool is left out until its file is mended; mm-repl tools check shows more.",
    })),
  ];
}
