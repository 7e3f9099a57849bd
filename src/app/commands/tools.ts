/** @module */

import { notTaken } from "../../api/tool_reception.ts";
import { MmError } from "../../base/errors.ts";
import { splitCommandLine } from "../../config/command_line.ts";
import { sep } from "node:path";
import type { LoadedTool, Toolbox, ToolProblem } from "../../toolbox/toolbox.ts";
import { markdownTable } from "../markdown.ts";
import { describePermissions } from "../trust_question.ts";
import type { Completion } from "../view.ts";
import type { Command, CommandHost } from "./command.ts";

const ACTIONS: readonly Completion[] = [
  { insert: "reload", label: "reload", description: "Read the tool files again" },
  { insert: "trust", label: "trust", description: "Ask again about directories left out" },
  { insert: "call ", label: "call", description: "Call a tool yourself" },
];

/** `/tools [reload|trust|call NAME [arguments]]`: the client tools of the session. */
export const toolsCommand: Command = {
  name: "tools",
  args: "[reload|trust|call NAME key=value … or JSON]",
  help: "List the tools of this session, read them again, be asked about trust again, or call one",
  needsAgent: true,
  complete: (host, typed) =>
    typed.startsWith("call ") ? callCompletions(host.active.session?.toolbox) : ACTIONS,
  async run(args, host) {
    const [, action = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(args.trim()) ?? [];
    if (action === "") return host.output(listTools(host));
    if (action === "call") return await callTool(rest, host);
    if (rest === "" && action === "reload") return await reload(host);
    if (rest === "" && action === "trust") {
      if ((host.active.session?.toolbox?.untrusted.length ?? 0) > 0) return await reload(host);
      return host.notice("info", "No tool directory was left out for want of trust");
    }
    throw new MmError("usage", `Cannot do /tools ${args}: it is reload, trust, call or nothing`);
  },
};

async function reload(host: CommandHost): Promise<void> {
  await host.reloadTools();
  host.notice("info", `Tools read again: ${host.state.tools} offered`);
}

async function callTool(args: string, host: CommandHost): Promise<void> {
  const [, name = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(args) ?? [];
  if (name === "") {
    throw new MmError("usage", "Cannot call a tool without its name", {
      hint: 'For example: /tools call NAME {"key": "value"}',
    });
  }
  // JSON is not taken apart: a shell would have kept it whole.
  const words = /^[[{]/.test(rest) ? [rest] : splitCommandLine(rest);
  await host.callTool({ name, words });
}

function callCompletions(toolbox: Toolbox | undefined): readonly Completion[] {
  return (toolbox?.tools ?? []).map(({ name, description }) => ({
    insert: `call ${name} `,
    label: name,
    description: description.description ?? "",
  }));
}

function listTools(host: CommandHost): string {
  const toolbox = host.active.session?.toolbox;
  if (toolbox === undefined) return "No tools: tool directories are off or the agent is away.";
  const rows = toolbox.tools.map((tool) => [
    `\`${tool.name}\``,
    `\`${tool.modelName}\``,
    shortened(tool.description.description ?? ""),
    permissionWords(tool, toolbox),
  ]);
  const problems = toolbox.problems.filter(({ harmless }) => harmless !== true).map(problemLine);
  const remarks = toolbox.problems.filter(({ harmless }) => harmless === true).map(problemLine);
  // Tools that the agent has been told of stay in the list, whatever has become of their files.
  const isOffered = (directory: string) =>
    toolbox.tools.some(({ file }) => file.startsWith(`${directory}${sep}`));
  const changed = toolbox.untrusted.filter(isOffered).map((directory) =>
    `- \`${directory}\` has changed since you agreed: \`/tools trust\` asks again`
  );
  const untrusted = toolbox.untrusted.filter((directory) => !isOffered(directory))
    .map((directory) => `- \`${directory}\` is not trusted: \`/tools trust\` asks`);
  return [
    rows.length === 0
      ? "No tools are offered. `mm-repl tools new NAME` writes a first one."
      : markdownTable(["tool", "for the model", "what it does", "permissions"], rows),
    section("Not run until you agree:", changed),
    section("Left out:", [...problems, ...untrusted]),
    section("Without effect:", remarks),
    section("At the agent:", receptionOf(host, toolbox)),
  ].filter((part) => part !== "").join("\n\n");
}

/** What a tool may do, or that it asks for it and nobody has agreed. */
function permissionWords(tool: LoadedTool, toolbox: Toolbox): string {
  const words = describePermissions(tool.permissions).join("; ") || "none";
  return toolbox.refusal?.(tool) === undefined
    ? words
    : `not run until you agree; asks for: ${words}`;
}

function problemLine({ file, line, reason }: ToolProblem): string {
  return `- \`${file}${line === undefined ? "" : `:${line}`}\`: ${reason}`;
}

/** What became of the tools at the agent, as far as it is not as it should be. */
function receptionOf({ client, active }: CommandHost, toolbox: Toolbox): string[] {
  if (client === undefined || active.session === undefined || toolbox.tools.length === 0) return [];
  const reception = client.toolReception(active.session.id);
  const missing = notTaken(toolbox.descriptions(), reception);
  const isSilent = !reception.asked && client.discovery === "request";
  return [
    ...reception.troubles,
    ...(missing.length === 0 ? [] : [`it does not have ${missing.join(", ")}`]),
    ...(isSilent ? ["it has not asked for these tools: it may not take tools of its client"] : []),
  ].map((line) => `- ${line}`);
}

function shortened(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 100 ? `${line.slice(0, 99).toWellFormed()}…` : line;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [title, "", ...lines].join("\n");
}
