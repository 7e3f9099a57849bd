/** @module */

import type { SessionState } from "../../model/session.ts";
import { type Command, type CommandHost, noCompletions } from "./command.ts";
import { markdownTable } from "../markdown.ts";

/** `/status`: where we are. */
export const statusCommand: Command = {
  name: "status",
  args: "",
  help: "Show the agent, the session and its settings",
  complete: noCompletions,
  run(_args, host) {
    const [first = [], ...rest] = rows(host);
    host.output(markdownTable(first, rest));
  },
};

function notOpen(sessionId: string): string {
  return sessionId === "" ? "none" : `none (${sessionId} is not open at the agent)`;
}

/** Those of a history that was loaded count. */
function countPrompts({ entries }: SessionState): number {
  return [...entries].filter(({ kind }) => kind === "user").length;
}

function rows(host: CommandHost): readonly (readonly string[])[] {
  const { state, client, active, permissions } = host;
  const session = active.store.state;
  const { used, size, cost } = session.usage ?? {};
  const all: readonly (readonly [string, string | undefined])[] = [
    ["agent", `${state.agent}${state.demo ? " (the embedded demo)" : ""}`],
    ["version", [client?.initialized.agentName, client?.initialized.agentVersion].join(" ").trim()],
    ["state", session.turn.state === "running" ? "working" : state.phase],
    ["session", active.session === undefined ? notOpen(session.sessionId) : session.sessionId],
    ["title", session.title],
    ["directory", session.cwd],
    ["turns", `${countPrompts(session)}`],
    ["mode", session.modes?.current],
    ["model", session.models?.current],
    [
      "context",
      used === undefined ? undefined : `${used}${size === undefined ? "" : ` of ${size}`} tokens`,
    ],
    ["cost", cost === undefined ? undefined : `${cost.amount} ${cost.currency}`],
    ["tools", `${state.tools}${client === undefined ? "" : ` (offered by ${client.discovery})`}`],
    ["permissions", permissions.mode],
    ["waiting prompts", `${state.queue.length}`],
  ];
  return all.flatMap(([key, value]) => value === undefined || value === "" ? [] : [[key, value]]);
}
