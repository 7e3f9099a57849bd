/**
 * The subcommands; each is loaded when it is named.
 *
 * @module
 */

import type { SubcommandRow } from "./command.ts";

/** All subcommands, in the order of the help. */
export const SUBCOMMANDS: readonly SubcommandRow[] = [
  {
    name: "tools",
    summary: "list, check, call, start and trust tool scripts, without an agent",
    load: async () => (await import("./commands/tools.ts")).toolsCommand,
  },
  {
    name: "sessions",
    summary: "sessions that the agent knows",
    load: async () => (await import("./commands/sessions.ts")).sessionsCommand,
  },
  {
    name: "ext",
    summary: "call an extension method of the agent",
    load: async () => (await import("./commands/ext.ts")).extCommand,
  },
  {
    name: "permissions",
    summary: "say which permission rule decides a request",
    load: async () => (await import("./commands/permissions.ts")).permissionsCommand,
  },
  {
    name: "agent",
    summary: "the embedded reference agent on stdio, a stand-in for mm -acp",
    load: async () => (await import("./commands/agent.ts")).agentCommand,
  },
  {
    name: "doctor",
    summary: "check the installation and say what is wrong and how to mend it",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
  {
    name: "config",
    summary: "the settings of configuration files",
    load: async () => (await import("./commands/config.ts")).configCommand,
  },
  {
    name: "completions",
    summary: "a completion script for bash, zsh or fish",
    load: async () => (await import("./commands/completions.ts")).completionsCommand,
  },
  {
    name: "__tool-host",
    summary: "the process of a tool script, in a compiled program",
    hidden: true,
    load: async () => (await import("./commands/tool_host.ts")).toolHostCommand,
  },
];
