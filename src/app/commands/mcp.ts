/** @module */

import { asArray, asObject, asString, isObject, type JsonObject } from "../../base/guards.ts";
import { reachableMcpServers } from "../../config/mcp_servers.ts";
import { describeAgent } from "../../model/agent_spec.ts";
import { markdownTable } from "../markdown.ts";
import { type Command, type CommandHost, noCompletions } from "./command.ts";

/** `/mcp`: the MCP servers that the agent is told of. */
export const mcpCommand: Command = {
  name: "mcp",
  args: "",
  help: "List the MCP servers of the configuration, and which of them the agent is told of",
  complete: noCompletions,
  run: (_args, host) => host.output(list(host)),
};

function list({ options, client }: CommandHost): string {
  const servers = options.mcpServers.filter(isObject);
  if (servers.length === 0) {
    return "No MCP servers are configured: `mcpServers` in the configuration names them.";
  }
  const told = client === undefined
    ? servers
    : reachableMcpServers(servers, client.initialized.capabilities).servers;
  const rows = servers.map((server) => [
    `\`${String(server.name)}\``,
    asString(server.type) ?? "stdio",
    `\`${where(server)}\``,
    // Values may be secret; their names are not.
    [...asArray(server.env), ...asArray(server.headers)]
      .map((pair) => String(asObject(pair).name)).join(", "),
    told.includes(server) ? "told" : "left out: the agent cannot reach it this way",
  ]);
  return markdownTable(["server", "by", "where", "with", "agent"], rows);
}

function where({ url, command, args }: JsonObject): string {
  return describeAgent(
    typeof url === "string"
      ? { kind: "remote", url }
      : { kind: "process", command: asString(command) ?? "", args: asArray(args).map(String) },
  );
}
