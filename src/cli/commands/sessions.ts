/**
 * `mm-repl sessions`: the sessions that the agent knows.
 *
 * @module
 */

import type { Client } from "../../api/contract.ts";
import { AgentMemory } from "../../app/memory.ts";
import type { AppOptions } from "../../app/options.ts";
import { type ListedSession, listSessions } from "../../app/session_list.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { fromAgentError } from "../../client/errors.ts";
import { supports } from "../../client/sessions.ts";
import { describeAgent } from "../../model/agent_spec.ts";
import { withClient } from "../client.ts";
import type { Command, CommandInput } from "../command.ts";
import { AGENT_FLAGS, type FlagRow } from "../flags.ts";
import { printErr, printOut } from "../output.ts";

const FLAGS: readonly FlagRow[] = [
  { name: "all", description: "of every directory, not only this one", group: "Output" },
  { name: "json", description: "one JSON object a line", group: "Output" },
  ...AGENT_FLAGS,
];

const listCommand: Command = {
  description:
    "List the sessions that the agent knows, newest first: id, when it changed, title; continue one with --resume ID",
  flags: FLAGS,
  operands: [],
  subcommands: [],
  takesWords: true,
  run: list,
};

/** `mm-repl sessions`. */
export const sessionsCommand: Command = {
  ...listCommand,
  subcommands: [{
    name: "list",
    summary: "the same",
    load: () => Promise.resolve(listCommand),
  }],
};

function list(input: CommandInput): Promise<number> {
  return withClient(input, async (client, options) => {
    const sessions = await loadSessions(client, options, input.values.has("all"));
    if (sessions.length === 0) printErr("No sessions.");
    const line = input.values.has("json") ? JSON.stringify : lineOf;
    await printOut(sessions.map((session) => `${line(session)}\n`).join(""));
    return 0;
  });
}

async function loadSessions(
  client: Client,
  options: AppOptions,
  all: boolean,
): Promise<readonly ListedSession[]> {
  if (supports(client.initialized, "list")) {
    try {
      return await listSessions(client, all ? undefined : options.cwd);
    } catch (error) {
      throw fromAgentError(error, { what: "Cannot list the sessions", method: "session/list" });
    }
  }
  printErr("The agent does not list its sessions; these were opened here before:");
  const memory = new AgentMemory(options.paths.stateDir, describeAgent(options.spec));
  const ids = await memory.sessions(options.cwd);
  return ids.map((sessionId) => ({ sessionId, cwd: options.cwd }));
}

function lineOf({ sessionId, updatedAt, title, cwd }: ListedSession): string {
  return [sessionId, updatedAt, title, cwd].flatMap((cell) => cell === undefined ? [] : [cell])
    .map((cell) => sanitizeLine(cell)).join("  ");
}
