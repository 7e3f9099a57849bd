/**
 * From flags and configuration to what a program is started with.
 *
 * @module
 */

import type { AppOptions, OpenFirst, PermissionDefault } from "../app/options.ts";
import { MmError } from "../base/errors.ts";
import { DISCOVERY_MODES, PERMISSION_DEFAULTS } from "../config/choices.ts";
import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { toMcpServerList } from "../config/mcp_servers.ts";
import { findPaths, type Paths, resolvePath } from "../config/paths.ts";
import type { Settings } from "../config/settings.ts";
import { chooseAgent } from "./agent_choice.ts";
import { revealSecrets } from "./agent_secrets.ts";
import type { CommandInput } from "./command.ts";
import { openTap } from "./taps.ts";
import { checkDirectories, missingDirectories, toolDirectories } from "./tool_directories.ts";
import type { Values } from "./values.ts";

const VERBOSE_NOTICE =
  "--verbose shows nothing on the full terminal; --trace FILE keeps the agent's stderr";

/** The configuration for a command line. */
export interface Setup {
  readonly paths: Paths;
  /** Directory of the session, absolute; it exists. */
  readonly cwd: string;
  readonly config: LoadedConfig;
}

/**
 * Finds the directory and loads the configuration.
 *
 * @throws {MmError} `agent_directory` for a directory that is not there, `config`.
 */
export async function loadSetup(values: Values): Promise<Setup> {
  const here = Deno.cwd();
  const cwd = resolvePath(values.text("cwd") ?? ".", here);
  const info = await Deno.stat(cwd).catch(() => undefined);
  if (!info?.isDirectory) {
    const why = info === undefined ? "there is no such directory" : "it is not a directory";
    throw new MmError("agent_directory", `Cannot work in ${cwd}: ${why}`, {
      hint: "Give an existing directory with --cwd.",
    });
  }
  const paths = findPaths();
  const file = values.text("config");
  const configFile = file === undefined ? undefined : resolvePath(file, here);
  return { paths, cwd, config: await loadConfig({ paths, cwd, configFile }) };
}

/**
 * What a program is started with.
 *
 * @param interactive somebody is there to answer questions
 * @throws {MmError} `usage`, `agent_not_found`
 */
export async function appOptions(
  setup: Setup,
  { values, words }: CommandInput,
  interactive: boolean,
): Promise<AppOptions> {
  const { paths, cwd, config } = setup;
  const settings = withFlags(config.settings, values);
  // What is wrong with the flags is said before anything is looked for.
  const [said, open, set] = [permissionFlag(values), openFirst(values), setFlags(values)];
  const missing = await (interactive ? missingDirectories : checkDirectories)(setup, values);
  const { agent, notices } = await chooseAgent({
    values,
    words,
    settings,
    base: Deno.cwd(),
    interactive,
  });
  const { setting } = agent;
  const { spec, signIn } = await revealSecrets(agent, values, paths.configDir);
  const tui = interactive && !isPlain(settings);
  return {
    spec,
    agentName: agent.name,
    demo: spec.kind === "demo",
    cwd,
    agentCwd: setting.cwd === undefined ? undefined : resolvePath(setting.cwd, cwd),
    interactive,
    startNotices: [
      ...notices,
      ...config.warnings,
      ...missing,
      ...(tui && values.has("verbose") ? [VERBOSE_NOTICE] : []),
    ],
    toolDirectories: toolDirectories(setup, values),
    trustTools: values.has("trust-tools"),
    discovery: values.word("discovery", DISCOVERY_MODES) ?? setting.discovery ??
      settings.discovery ?? "auto",
    permissions: said ?? setting.permissions ?? settings.permissions ?? "ask",
    mode: values.text("mode") ?? setting.mode ?? settings.mode,
    model: values.text("model") ?? setting.model ?? settings.model,
    set,
    open,
    additionalDirectories: await furtherDirectories(values),
    mcpServers: toMcpServerList({ ...settings.mcpServers, ...setting.mcpServers }),
    paths,
    timeoutMs: Math.round((settings.startTimeout ?? 30) * 1_000),
    fs: setting.fs,
    terminal: setting.terminal,
    commandTitles: setting.commandTitles,
    signIn,
    settings,
    tap: await openTap(values, !tui),
  };
}

/** True where even a person at a terminal is served line by line. */
export function isPlain(settings: Settings | undefined): boolean {
  const term = Deno.env.get("TERM") ?? "";
  return settings?.plain === true || term === "" || term === "dumb";
}

/** Flags are the last layer of the settings. */
function withFlags(settings: Settings, values: Values): Settings {
  const color = values.word("color", ["auto", "always", "never"]);
  const timeout = values.number("timeout");
  return {
    ...settings,
    ...(color === undefined ? {} : { color }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(values.has("plain") ? { plain: true } : {}),
  };
}

/** The default answer to permission requests that the flags name, if they do. Throws `usage`. */
export function permissionFlag(values: Values): PermissionDefault | undefined {
  const said = values.word("permissions", PERMISSION_DEFAULTS);
  if (!values.has("yolo")) return said;
  if (said !== undefined && said !== "allow") {
    throw new MmError("usage", `Cannot use both --yolo and --permissions ${said}`);
  }
  return "allow";
}

/** The directories of `--add-dir`, links resolved. Throws `agent_directory`. */
async function furtherDirectories(values: Values): Promise<string[]> {
  return await Promise.all(
    values.texts("add-dir").map(async (path) => {
      const directory = resolvePath(path, Deno.cwd());
      const info = await Deno.stat(directory).catch(() => undefined);
      if (info?.isDirectory) return await Deno.realPath(directory);
      throw new MmError("agent_directory", `Cannot add ${directory}: there is no such directory`);
    }),
  );
}

function openFirst(values: Values): OpenFirst {
  const sessionId = values.text("resume");
  if (sessionId === undefined) return { how: values.has("continue") ? "continue" : "new" };
  if (values.has("continue")) {
    throw new MmError("usage", "Cannot use both --continue and --resume");
  }
  if (sessionId.trim() === "") throw new MmError("usage", "Cannot resume a session without its id");
  return { how: "resume", sessionId };
}

function setFlags(values: Values): (readonly [string, string])[] {
  return values.texts("set").map((text) => {
    const equals = text.indexOf("=");
    if (equals < 1) throw new MmError("usage", `Cannot use --set ${text}: it takes KEY=VALUE`);
    return [text.slice(0, equals), text.slice(equals + 1)];
  });
}
