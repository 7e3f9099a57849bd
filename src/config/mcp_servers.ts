/**
 * MCP servers: the object of the configuration, and the list of the protocol.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import { asObject } from "../base/guards.ts";
import type { McpServerSettings } from "./mcp_server_shape.ts";

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
