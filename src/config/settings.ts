/**
 * The settings: one row for each key of a configuration file. Types, validation, the JSON Schema for
 * editors, help and documentation all come from these rows.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import { PARAMETER_TYPES } from "../model/extension_method.ts";
import type { PermissionRule } from "../model/permission_rules.ts";
import { TOOL_KINDS } from "../model/tool_call.ts";
import { isBuiltinAgent } from "./builtin_agents.ts";
import { DISCOVERY_MODES, PERMISSION_DEFAULTS } from "./choices.ts";
import { ownKeys } from "./keys.ts";
import { mcpServers } from "./mcp_server_shape.ts";
import {
  flag,
  list,
  number,
  object,
  oneOf,
  record,
  type Shape,
  type Shaped,
  text,
} from "./shapes.ts";

const seconds = number({ min: 0.1, max: 86_400 });

/** A rule about permissions. One that is not wholly understood would decide more than is meant. */
const permissionRule = object({
  kind: { shape: oneOf(TOOL_KINDS), description: `Kind of tool call: ${TOOL_KINDS.join(", ")}` },
  tool: { shape: text, description: "Name of the tool" },
  path: { shape: text, description: "A file or directory that the call touches" },
  command: { shape: text, description: "The command that would run: git * is git with anything" },
  agent: { shape: text, description: "Name of the agent that asks" },
  action: { shape: oneOf(["allow", "ask", "deny"]), description: "What happens" },
}, {
  unknown: "error",
  complete: ({ action, ...conditions }) => {
    if (action === undefined) return 'needs an "action"';
    return Object.keys(conditions).length > 0
      ? undefined
      : 'has no condition and would decide everything; that is what the setting "permissions" is for';
  },
}) as Shape<PermissionRule>;

/** A row of `agents`. */
const namedAgent = object(
  {
    command: { shape: text, description: "Program, found on the PATH; never run through a shell" },
    args: { shape: list(text), description: "Its arguments" },
    env: { shape: record(text), description: "Added to its environment" },
    cwd: { shape: text, description: "Directory that it starts in (default: the session's)" },
    url: { shape: text, description: "Remote agent instead of a command: http(s):// or ws(s)://" },
    headers: {
      shape: record(text),
      description:
        "Sent with each request to the url; ${env:NAME} and ${file:PATH} stand for secrets",
    },
    token: {
      shape: text,
      description: "Signs in to the agent; ${env:NAME} and ${file:PATH} stand for the secret",
    },
    authMethod: {
      shape: text,
      description: "Id of the method to sign in with (default: the first that takes a token)",
    },
    discovery: { shape: oneOf(DISCOVERY_MODES), description: "As the setting of that name" },
    mcpServers: {
      shape: mcpServers,
      description: "MCP servers for this agent, besides the general ones",
    },
    permissions: { shape: oneOf(PERMISSION_DEFAULTS), description: "As the setting of that name" },
    model: { shape: text, description: "Chosen after the session opens" },
    mode: { shape: text, description: "Chosen after the session opens" },
    fs: {
      shape: oneOf(["all", "read", "write", "none"]),
      description: "Which file requests we offer the agent (default: all; none with a url)",
    },
    commandTitles: {
      shape: flag,
      description:
        "Whether the titles of its calls are the commands that they run (default: false)",
    },
    terminal: {
      shape: flag,
      description: "Whether we offer the agent terminals (default: true; false with a url)",
    },
  },
  {
    unknown: "error",
    complete: ({ command, url }) =>
      command !== undefined && url !== undefined
        ? 'has both a "command" and a "url"; it can be reached in one way only'
        : undefined,
  },
);

/** An extension method that the user describes; see `ExtensionMethod`. */
const extensionMethod = object({
  description: { shape: text, description: "What it does, in one line" },
  params: {
    shape: record(object({
      type: { shape: oneOf(PARAMETER_TYPES), description: "What it takes (default: any)" },
      required: { shape: flag, description: "Whether it must be given (default: false)" },
      description: { shape: text, description: "What it is" },
    })),
    description: "Its parameters by name",
  },
  further: { shape: text, description: "What further parameters it takes, for people" },
});

/** Rows that refine a built-in agent need not say how it is reached. */
const namedAgents = record(
  namedAgent,
  (name, agent) =>
    agent.command === undefined && agent.url === undefined && !isBuiltinAgent(name)
      ? 'needs a "command" or a "url"'
      : undefined,
);

/** A key of a configuration file. */
interface SettingRow<T> {
  readonly shape: Shape<T>;
  /** What counts when the key is absent, for people. */
  readonly fallback: string;
  readonly description: string;
  /**
   * What a project's file may do with it, since it comes with the repository: `free` counts at once;
   * `confirm` counts after the user has agreed; `narrow` needs that only where it allows more than
   * the user's own file does.
   */
  readonly project: "free" | "confirm" | "narrow";
}

function row<T>(
  shape: Shape<T>,
  project: SettingRow<T>["project"],
  fallback: string,
  description: string,
): SettingRow<T> {
  return { shape, project, fallback, description };
}

/** All settings. */
export const SETTINGS = {
  agent: row(text, "confirm", "mm", "Agent to start: a name, or a command line"),
  agents: row(namedAgents, "confirm", "none", "Agents by name, besides the built-in ones"),
  tools: row(
    list(text),
    "free",
    "tools/ of the session's directory and of the configuration directory",
    "Tool directories instead of the default ones; relative ones start at the file's directory",
  ),
  discovery: row(oneOf(DISCOVERY_MODES), "free", "auto", "How client tools are offered to mini-me"),
  permissions: row(
    oneOf(PERMISSION_DEFAULTS),
    "narrow",
    "ask; refused where nobody is there",
    "Answer to permission requests that no rule decides",
  ),
  permissionRules: row(
    list(permissionRule),
    "narrow",
    "none",
    "Rules about permissions, the first that matches decides; a deny of the user's own file always wins",
  ),
  mode: row(text, "confirm", "the agent's own", "Mode to choose after a session opens"),
  model: row(text, "free", "the agent's own", "Model to choose after a session opens"),
  extensions: row(
    record(
      extensionMethod,
      (name) => name.startsWith("_") ? undefined : "must have a name that begins with _",
    ),
    "free",
    "none",
    "Extension methods of agents that /ext knows, by name",
  ),
  mcpServers: row(mcpServers, "confirm", "none", "MCP servers that the agent is told of, by name"),
  timeout: row(seconds, "free", "none", "Bound of a whole run with -p, in seconds"),
  startTimeout: row(seconds, "free", "30", "Bound of each step of starting the agent, in seconds"),
  thoughts: row(
    oneOf(["full", "folded", "hidden"]),
    "free",
    "folded",
    "How the agent's thoughts are shown once they have ended",
  ),
  notifications: row(
    oneOf(["auto", "bell", "off"]),
    "free",
    "auto",
    "How the end of a long turn, or a waiting question, is made known",
  ),
  color: row(
    oneOf(["auto", "always", "never"]),
    "free",
    "auto",
    "Colour; auto obeys the terminal, NO_COLOR and FORCE_COLOR",
  ),
  theme: row(
    oneOf(["auto", "dark", "light"]),
    "free",
    "auto",
    "Background that colours are made for",
  ),
  plain: row(flag, "free", "false", "Line mode without cursor movement"),
  readLimit: row(
    number({ min: 0.001, max: 1024 }),
    "free",
    "10",
    "Largest text that the agent may read through us, in MiB",
  ),
  historySize: row(
    number({ min: 0, max: 100_000, whole: true }),
    "free",
    "1000",
    "Entered prompts that are kept for each directory",
  ),
  keys: row(
    ownKeys,
    "confirm",
    "none",
    "Other keys for actions: an action's name, and a key or a list of keys",
  ),
} as const;

/** Name of a setting. */
export type SettingKey = keyof typeof SETTINGS;

/** The settings that are given; what is absent has its default. */
export type Settings = {
  readonly [K in SettingKey]?: Shaped<(typeof SETTINGS)[K]["shape"]>;
};

/** A row of `agents`. */
export type AgentSetting = Shaped<typeof namedAgent>;

/** A whole configuration file. */
export const settingsShape: Shape<Settings & { readonly $schema?: string }> = object({
  ...fieldsOf(SETTINGS),
  $schema: { shape: text, description: "Where this file's JSON Schema is" },
});

/** A row of help and documentation. */
export interface SettingHelp {
  readonly key: string;
  /** What values it takes. */
  readonly type: string;
  readonly fallback: string;
  readonly description: string;
  readonly project: SettingRow<unknown>["project"];
}

/** The settings, for help and documentation. */
export function settingsHelp(): SettingHelp[] {
  return Object.entries(SETTINGS).map(([key, { shape, fallback, description, project }]) => ({
    key,
    type: shape.name,
    fallback,
    description,
    project,
  }));
}

/** The JSON Schema of a configuration file, for editors. */
export function settingsJsonSchema(): JsonObject {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of mm-repl",
    allowComments: true,
    allowTrailingCommas: true,
    ...settingsShape.schema,
  };
}

function fieldsOf<R extends Record<string, { shape: Shape<unknown>; description: string }>>(
  rows: R,
): { readonly [K in keyof R]: { readonly shape: R[K]["shape"]; readonly description: string } } {
  return rows;
}
