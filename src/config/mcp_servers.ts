/**
 * MCP servers: the object of the configuration, and the list of the protocol.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import { asObject } from "../base/guards.ts";
import { flag, list, object, oneOf, record, type Shaped, text } from "./shapes.ts";

const mcpServer = object({
  type: {
    shape: oneOf(["stdio", "http", "sse"]),
    description: "How it is reached (default: stdio with a command, http with a url)",
  },
  command: { shape: text, description: "Program that the agent starts" },
  args: { shape: list(text), description: "Its arguments" },
  env: { shape: record(text), description: "Its environment" },
  url: { shape: text, description: "Address of an http or sse server" },
  headers: { shape: record(text), description: "Sent with each request" },
  enabled: { shape: flag, description: "false leaves it out" },
}, {
  unknown: "error",
  complete: ({ type, command, url }) => {
    if (type === "stdio" && command === undefined) return 'of type stdio needs a "command"';
    if ((type === "http" || type === "sse") && url === undefined) {
      return `of type ${type} needs a "url"`;
    }
    if (type === undefined && command === undefined && url === undefined) {
      return 'needs a "command" or a "url"';
    }
    return undefined;
  },
});

/** Shape of `mcpServers`: servers by name. */
export const mcpServers = record(mcpServer);

/** MCP servers by name. */
export type McpServerSettings = Shaped<typeof mcpServers>;

/** The protocol's list: always an array, in the order of the configuration. */
export function toMcpServerList(servers: McpServerSettings = {}): JsonObject[] {
  return Object.entries(servers).flatMap(([name, server]): JsonObject[] => {
    if (server.enabled === false) return [];
    const type = server.type ?? (server.command === undefined ? "http" : "stdio");
    if (type === "stdio") {
      const { command, args = [], env } = server;
      return [{ name, command, args: [...args], env: toPairs(env) }];
    }
    return [{ type, name, url: server.url, headers: toPairs(server.headers) }];
  });
}

/**
 * Leaves out the servers that an agent with these capabilities (raw `agentCapabilities`) cannot
 * reach; each is named in a warning. Stdio servers are always kept.
 */
export function reachableMcpServers(
  servers: readonly JsonObject[],
  agentCapabilities: JsonObject,
): { readonly servers: JsonObject[]; readonly warnings: string[] } {
  const capabilities = asObject(agentCapabilities.mcpCapabilities);
  const warnings: string[] = [];
  const kept = servers.filter(({ type, name }) => {
    if (type === undefined || type === "stdio" || capabilities[String(type)] === true) return true;
    warnings.push(`The agent cannot reach MCP servers by ${type}: "${name}" is left out`);
    return false;
  });
  return { servers: kept, warnings };
}

function toPairs(values: Readonly<Record<string, string>> = {}): JsonObject[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
