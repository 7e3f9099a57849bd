/** @module */

import { type Command, type CommandHost, noCompletions } from "./command.ts";
import { codeBlock, markdownTable } from "../markdown.ts";

/** `/agent`: what the agent said about itself. */
export const agentCommand: Command = {
  name: "agent",
  args: "",
  help: "Show the agent, what it offers and its last words on stderr",
  complete: noCompletions,
  run: (_args, host) => host.output(describe(host)),
};

function describe(host: CommandHost): string {
  const { client, state } = host;
  if (client === undefined) return `\`${state.agent}\` is not connected. \`/restart\` starts it.`;
  const { agentName, agentVersion, protocolVersion, capabilities, authMethods } =
    client.initialized;
  const stderr = client.stderr().trimEnd();
  return [
    markdownTable(["started as", `\`${state.agent}\``], [
      [
        "name",
        [agentName, agentVersion].filter((part) => part !== undefined).join(" ") || "not told",
      ],
      ["protocol", `${protocolVersion}`],
      ["tools offered by", client.discovery],
      ["signing in", authMethods.map((method) => method.name).join(", ") || "not needed"],
    ]),
    codeBlock(JSON.stringify(capabilities, null, 2), "json"),
    ...(stderr === ""
      ? []
      : ["Last lines on stderr:", codeBlock(stderr.split("\n").slice(-20).join("\n"))]),
  ].join("\n\n");
}
