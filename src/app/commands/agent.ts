/** @module */

import { asObject, isObject, type JsonObject } from "../../base/guards.ts";
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

/** What the agent advertised, in a row for each part of the protocol. */
function offers(capabilities: JsonObject): readonly (readonly [string, string])[] {
  const { loadSession, sessionCapabilities, promptCapabilities, mcpCapabilities, auth } =
    capabilities;
  const on = (flags: unknown) =>
    Object.entries(asObject(flags))
      .filter(([name, value]) => name !== "_meta" && (value === true || isObject(value)))
      .map(([name]) => name);
  const sessions = [...(loadSession === true ? ["load"] : []), ...on(sessionCapabilities)];
  return [
    ["sessions", ["new", ...sessions].join(", ")],
    ["prompts with", ["text", "resource_link", ...on(promptCapabilities)].join(", ")],
    ["MCP servers by", ["stdio", ...on(mcpCapabilities)].join(", ")],
    ...(on(auth).length === 0 ? [] : [["signing out", on(auth).join(", ")] as const]),
  ];
}

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
      [
        "signing in",
        authMethods.map(({ id, name }) => id === name ? id : `${name} (${id})`).join(", ") ||
        "not needed",
      ],
      ...offers(capabilities),
    ]),
    codeBlock(JSON.stringify(capabilities, null, 2), "json"),
    ...(stderr === ""
      ? []
      : ["Last lines on stderr:", codeBlock(stderr.split("\n").slice(-20).join("\n"))]),
  ].join("\n\n");
}
