/**
 * Which agent the flags and the configuration come down to.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { agentNotFound, resolveAgent, type ResolvedAgent } from "../config/agents.ts";
import { placeSecrets } from "../config/secrets.ts";
import type { Settings } from "../config/settings.ts";
import { describeAddress } from "../model/agent_spec.ts";
import { findProgram } from "../process/find_program.ts";
import type { Values } from "./values.ts";

/** Says what happens without mm, in one line of eighty columns. */
const STAND_IN = "mm was not found, so the demo agent answers: install mini-me, or use --agent.";

/** The agent, and what to say about it at the start. */
export interface AgentChoice {
  readonly agent: ResolvedAgent;
  readonly notices: readonly string[];
}

/** What {@link chooseAgent} goes by. */
export interface ChoiceOptions {
  readonly values: Values;
  /** What came after `--`. */
  readonly words: readonly string[];
  readonly settings: Settings;
  /** Where relative programs start, absolute. */
  readonly base: string;
  /** With nobody there the embedded agent never stands in. */
  readonly interactive: boolean;
}

/**
 * Chooses the agent: `--url`, `--agent`, the setting, else mm. Where nothing was said and mm is not
 * installed, the embedded agent stands in for it in a terminal.
 *
 * @throws {MmError} `usage` for flags that do not fit together, `agent_not_found` for a program that
 * is not there.
 */
export async function chooseAgent(options: ChoiceOptions): Promise<AgentChoice> {
  const { values, words, settings, base, interactive } = options;
  const headers = headersOf(values);
  const url = values.text("url");
  if (url !== undefined) {
    if (values.has("agent")) throw usage("Cannot use both --agent and --url");
    if (words.length > 0) throw usage("Cannot add words after -- to a remote agent");
    // A row with the same address says how to sign in there, and what the agent is offered.
    const rows = Object.entries(settings.agents ?? {});
    const [name, setting] = rows.find(([, row]) => row.url === url) ?? [url, {}];
    const spec = {
      kind: "remote",
      url: checkUrl(url),
      headers: joinHeaders(setting.headers, headers),
    } as const;
    return { agent: { name, spec, setting }, notices: [] };
  }
  const said = values.text("agent") ?? settings.agent;
  if (words.length > 0 && !values.has("agent")) {
    throw usage(
      "Cannot use the words after --: they belong to the command of --agent",
      "A prompt is given with -p.",
    );
  }
  const agent = withHeaders(resolveAgent(said ?? "mm", { settings, base, words }), headers);
  if (agent.spec.kind !== "process") return { agent, notices: [] };
  const { command, env } = agent.spec;
  const program = await findProgram(command, { cwd: base, path: env?.PATH });
  if (program !== undefined) return { agent, notices: [] };
  if (said !== undefined || !interactive) throw agentNotFound(agent, settings);
  return { agent: resolveAgent("demo", { settings: {}, base }), notices: [STAND_IN] };
}

function withHeaders(agent: ResolvedAgent, headers: Readonly<Record<string, string>>) {
  if (Object.keys(headers).length === 0) return agent;
  if (agent.spec.kind !== "remote") {
    throw usage("Cannot use --header: the agent is not a remote one");
  }
  return { ...agent, spec: { ...agent.spec, headers: joinHeaders(agent.spec.headers, headers) } };
}

/** Names of headers are the same in any case; the later ones replace. */
function joinHeaders(
  before: Readonly<Record<string, string>> = {},
  later: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = new Set(Object.keys(later).map((name) => name.toLowerCase()));
  const kept = Object.entries(before).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...later };
}

function headersOf(values: Values): Record<string, string> {
  const pairs = values.texts("header").map((text) => {
    const colon = text.indexOf(":");
    if (colon < 1) throw usage("Cannot read --header: it takes NAME:VALUE");
    const value = placeSecrets(text.slice(colon + 1).trim(), Deno.cwd());
    return [text.slice(0, colon).trim(), value] as const;
  });
  try {
    new Headers(Object.fromEntries(pairs));
  } catch {
    // The value may be a secret: it is not shown.
    throw usage("Cannot use --header: a name or value has characters that headers must not have");
  }
  return Object.fromEntries(pairs);
}

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(https?|wss?):$/.test(url.protocol)) {
    const shown = JSON.stringify(describeAddress(text));
    throw usage(`Cannot use the url ${shown}: it must be http(s):// or ws(s)://`);
  }
  return text;
}

function usage(message: string, hint?: string): MmError {
  return new MmError("usage", message, { hint });
}
