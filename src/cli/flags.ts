/**
 * The flags of the command line, as rows: parsing, help, completion and documentation come from
 * them.
 *
 * @module
 */

import { DISCOVERY_MODES, PERMISSION_DEFAULTS } from "../config/choices.ts";

/** One flag. */
export interface FlagRow {
  /** Without the dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What its value is called; absent for a switch. */
  readonly value?: string;
  /** The value when it is given without one; absent: a value must follow. */
  readonly bare?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** May be given several times, each adding to the others; else the last one counts. */
  readonly repeatable?: boolean;
  /** The value is a number of seconds. */
  readonly seconds?: boolean;
  /** What shells complete the value with. */
  readonly completes?: "file" | "directory";
  readonly description: string;
  /** Heading in the help. */
  readonly group: string;
}

const AGENT = "Agent";
const SESSION = "Session";
const TOOLS = "Tools";
const PERMISSIONS = "Permissions";
const RUN = "One run (with -p)";
const GENERAL = "General";

const ROWS = {
  prompt: {
    name: "prompt",
    short: "p",
    value: "TEXT",
    repeatable: true,
    description:
      "run this prompt and exit; - reads it from stdin; piped stdin is added as context; again for a further turn",
    group: RUN,
  },
  output: {
    name: "output",
    value: "FORMAT",
    choices: ["text", "json", "stream-json"],
    description: "what -p prints: the answer, one JSON document, or one JSON event a line",
    group: RUN,
  },
  quiet: { name: "quiet", description: "nothing on stderr but errors", group: RUN },
  timeout: {
    name: "timeout",
    value: "SECONDS",
    seconds: true,
    description: "bound of the whole run",
    group: RUN,
  },
  agent: {
    name: "agent",
    value: "NAME|COMMAND",
    description:
      "a named agent or a command line; words after -- are added to it (default: mm, which is mm -acp)",
    group: AGENT,
  },
  url: {
    name: "url",
    value: "URL",
    description: "a remote agent: http(s):// or ws(s)://",
    group: AGENT,
  },
  header: {
    name: "header",
    value: "NAME:VALUE",
    repeatable: true,
    description: "sent to the remote agent with each request; see --token for secrets",
    group: AGENT,
  },
  token: {
    name: "token",
    value: "TOKEN",
    description: "signs in to the agent; ${env:NAME} and ${file:PATH} stand for the secret",
    group: AGENT,
  },
  cwd: {
    name: "cwd",
    value: "DIR",
    completes: "directory",
    description: "directory of the session (default: the current one)",
    group: SESSION,
  },
  "add-dir": {
    name: "add-dir",
    value: "DIR",
    repeatable: true,
    completes: "directory",
    description: "another directory for the session, where the agent offers that",
    group: SESSION,
  },
  continue: {
    name: "continue",
    description: "go on with the newest session of this directory",
    group: SESSION,
  },
  resume: { name: "resume", value: "ID", description: "go on with this session", group: SESSION },
  mode: { name: "mode", value: "ID", description: "mode to choose", group: SESSION },
  model: { name: "model", value: "ID", description: "model to choose", group: SESSION },
  set: {
    name: "set",
    value: "KEY=VALUE",
    repeatable: true,
    description: "an option of the agent to set",
    group: SESSION,
  },
  tools: {
    name: "tools",
    value: "DIR",
    repeatable: true,
    completes: "directory",
    description: "tool directory, instead of tools/ and the user's own",
    group: TOOLS,
  },
  "no-tools": { name: "no-tools", description: "offer no tools", group: TOOLS },
  "trust-tools": {
    name: "trust-tools",
    description: "load tool directories without asking",
    group: TOOLS,
  },
  discovery: {
    name: "discovery",
    value: "HOW",
    choices: DISCOVERY_MODES,
    description: "how tools are offered to mini-me (default: auto)",
    group: TOOLS,
  },
  permissions: {
    name: "permissions",
    value: "ANSWER",
    choices: PERMISSION_DEFAULTS,
    description:
      "answer to requests that no rule decides (default: ask; refused when nobody is there)",
    group: PERMISSIONS,
  },
  yolo: { name: "yolo", description: "same as --permissions allow", group: PERMISSIONS },
  plain: {
    name: "plain",
    description: "line mode, no cursor movement (automatic without a terminal)",
    group: GENERAL,
  },
  color: {
    name: "color",
    value: "WHEN",
    choices: ["auto", "always", "never"],
    description: "colour (default: auto)",
    group: GENERAL,
  },
  config: {
    name: "config",
    value: "FILE",
    completes: "file",
    description: "configuration file instead of the user's own",
    group: GENERAL,
  },
  trace: {
    name: "trace",
    value: "FILE",
    completes: "file",
    description: "write every message to and from the agent to a file, secrets replaced",
    group: GENERAL,
  },
  verbose: {
    name: "verbose",
    description: "show the agent's stderr with -p and in line mode",
    group: GENERAL,
  },
  version: { name: "version", short: "V", description: "print the version", group: GENERAL },
} as const satisfies Record<string, FlagRow>;

/** Name of a flag of the program. */
export type FlagName = keyof typeof ROWS;

/** All flags of the program itself, in the order of the help. */
export const FLAGS: readonly FlagRow[] = Object.values(ROWS);

/** Some flags of the program, for the subcommands that take them as well. */
export function flagRows(...names: readonly FlagName[]): readonly FlagRow[] {
  return names.map((name) => ROWS[name]);
}

/** Flags of everything that starts an agent. */
export const AGENT_FLAGS = flagRows(
  "agent",
  "url",
  "header",
  "token",
  "cwd",
  "config",
  "timeout",
  "trace",
  "verbose",
);
