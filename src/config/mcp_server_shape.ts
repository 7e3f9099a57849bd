/**
 * The object of the configuration that names MCP servers.
 *
 * @module
 */

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
