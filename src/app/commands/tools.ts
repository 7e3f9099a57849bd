/** @module */

import { MmError } from "../../base/errors.ts";
import { describePermissions } from "../trust_question.ts";
import type { Command, CommandHost } from "./command.ts";
import { markdownTable } from "../markdown.ts";

const ACTIONS = [
  { insert: "reload", label: "reload", description: "Read the tool files again" },
  { insert: "trust", label: "trust", description: "Ask again about directories left out" },
];

/** `/tools [reload|trust]`: the client tools of the session. */
export const toolsCommand: Command = {
  name: "tools",
  args: "[reload|trust]",
  help: "List the tools of this session, read them again, or be asked about trust again",
  complete: () => ACTIONS,
  async run(args, host) {
    switch (args) {
      case "":
        return host.output(listTools(host));
      case "reload":
        await host.reloadTools();
        return host.notice("info", `Tools read again: ${host.state.tools} offered`);
      case "trust": {
        if ((host.active.session?.toolbox?.untrusted.length ?? 0) === 0) {
          return host.notice("info", "No tool directory was left out for want of trust");
        }
        await host.reloadTools();
        return host.notice("info", `Tools read again: ${host.state.tools} offered`);
      }
      default:
        throw new MmError("usage", `Cannot do /tools ${args}: it is reload, trust or nothing`);
    }
  },
};

function listTools(host: CommandHost): string {
  const toolbox = host.active.session?.toolbox;
  if (toolbox === undefined) return "No tools: tool directories are off or the agent is away.";
  const rows = toolbox.tools.map((tool) => [
    `\`${tool.name}\``,
    `\`${tool.modelName}\``,
    tool.description.description ?? "",
    describePermissions(tool.permissions).join("; ") || "none",
  ]);
  const problems = toolbox.problems.map(({ file, line, reason }) =>
    `- \`${file}${line === undefined ? "" : `:${line}`}\`: ${reason}`
  );
  const untrusted = toolbox.untrusted.map((directory) =>
    `- \`${directory}\` is not trusted: \`/tools trust\` asks`
  );
  return [
    rows.length === 0
      ? "No tools are offered. `mm-repl tools new NAME` writes a first one."
      : markdownTable(["tool", "for the model", "what it does", "permissions"], rows),
    ...(problems.length + untrusted.length === 0
      ? []
      : [["Left out:", "", ...problems, ...untrusted].join("\n")]),
  ].join("\n\n");
}
