/**
 * From what a user names (`opencode`, `mm -acp --verbose`) to how the agent is reached.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import { BUILTIN_AGENTS, DEMO_AGENT } from "./builtin_agents.ts";
import { splitCommandLine } from "./command_line.ts";
import { nearestWord } from "./nearest.ts";
import { resolvePath } from "./paths.ts";
import type { AgentSetting, Settings } from "./settings.ts";

/** An agent, and what the configuration says of it. */
export interface ResolvedAgent {
  /** The name that it goes by: its row's, else its program's. */
  readonly name: string;
  readonly spec: AgentSpec;
  /** Discovery, MCP servers, permissions, model, mode, files: what its row sets. */
  readonly setting: AgentSetting;
}

/** What {@link resolveAgent} takes besides the name. */
export interface ResolveOptions {
  readonly settings: Settings;
  /** Directory that a relative program starts at, absolute. */
  readonly base: string;
  /** Further words of the command; the ones that it already has may come first. */
  readonly words?: readonly string[];
}

/**
 * Finds the agent that `wanted` names: a row of the configuration, a built-in one, or else a command
 * line. Nothing is looked up on the disk.
 *
 * @throws {MmError} `usage` for a command line that cannot be split, or words for an agent that has
 * no command.
 */
export function resolveAgent(wanted: string, options: ResolveOptions): ResolvedAgent {
  const { settings, base, words = [] } = options;
  const setting = settingOf(wanted.trim(), settings);
  if (setting?.url !== undefined || (setting === undefined && wanted.trim() === DEMO_AGENT)) {
    if (words.length > 0) {
      throw new MmError("usage", `Cannot give the agent ${wanted} more words: it has no command`);
    }
  }
  if (setting === undefined && wanted.trim() === DEMO_AGENT) {
    return { name: DEMO_AGENT, spec: { kind: "demo" }, setting: settings.agents?.demo ?? {} };
  }
  if (setting?.url !== undefined) {
    const { url, headers } = setting;
    return { name: wanted.trim(), spec: { kind: "remote", url, headers }, setting };
  }
  const [command, ...own] = setting?.command === undefined
    ? splitCommandLine(wanted)
    : [setting.command, ...setting.args ?? []];
  const repeated = own.every((word, index) => words[index] === word);
  const args = repeated ? words : [...own, ...words];
  if (command === undefined || command === "") {
    throw new MmError("usage", "Cannot start an agent without a name or command");
  }
  const spec: AgentSpec = {
    kind: "process",
    command: command.includes("/") ? resolvePath(command, base) : command,
    args,
    ...(setting?.env === undefined ? {} : { env: setting.env }),
  };
  return { name: setting === undefined ? command : wanted.trim(), spec, setting: setting ?? {} };
}

/** Names of all agents that need no command line. */
function agentNames(settings: Settings): string[] {
  const names = [...Object.keys(BUILTIN_AGENTS), DEMO_AGENT, ...Object.keys(settings.agents ?? {})];
  return [...new Set(names)];
}

/** The error for an agent whose program is not there, with what the user can do. */
export function agentNotFound(agent: ResolvedAgent, settings: Settings): MmError {
  const command = agent.spec.kind === "process" ? agent.spec.command : agent.name;
  const builtin = Object.hasOwn(BUILTIN_AGENTS, agent.name)
    ? BUILTIN_AGENTS[agent.name]
    : undefined;
  const near = nearestWord(command, agentNames(settings));
  const where = command.includes("/") ? "there is no such program" : "it was not found on the PATH";
  const advice = builtin?.command === command
    ? `${builtin.install} To try mm-repl without any: --agent ${DEMO_AGENT}.`
    : near === undefined
    ? `Known agents: ${agentNames(settings).join(", ")}.`
    : `Did you mean --agent ${near}?`;
  return new MmError("agent_not_found", `Cannot start "${command}": ${where}`, { hint: advice });
}

/** The row of a name: the configuration's, completed by the built-in one. */
export function settingOf(name: string, settings: Settings): AgentSetting | undefined {
  const builtin = Object.hasOwn(BUILTIN_AGENTS, name) ? BUILTIN_AGENTS[name] : undefined;
  const rows = settings.agents ?? {};
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row?.command !== undefined || row?.url !== undefined) return row;
  if (builtin === undefined) return undefined;
  const { description: _description, install: _install, ...setting } = builtin;
  return { ...setting, ...row };
}
