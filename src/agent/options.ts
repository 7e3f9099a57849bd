/**
 * The configuration of the reference agent: mini-me's `acp.clientTools` keys and `yolo`, and the
 * rows that the command line turns into flags.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";

/** How the reference agent behaves. */
export interface AgentOptions {
  /** `acp.clientTools.discovery`: the list comes in `initialize`, or is asked for per session. */
  readonly discovery: "meta" | "request";
  /** `acp.clientTools.permissions`: `auto` asks unless `yolo`, `ask` always asks. */
  readonly permissions: "auto" | "ask";
  /** Sessions start in the mode `yolo`, which asks no permission. */
  readonly yolo: boolean;
  /** `acp.clientTools.timeout` in milliseconds: bound of a tool call and of the list request. */
  readonly timeoutMs: number;
  /** Characters of a tool result that the model reads; head and tail are kept. */
  readonly maxOutput: number;
  /** `acp.clientTools.enabled`: false ignores everything that a client offers. */
  readonly enabled: boolean;
  /** Milliseconds between two chunks of an answer; 0 streams without a pause. */
  readonly pauseMs: number;
}

/** mini-me's defaults. The specification gives none for `yolo` and `maxOutput`: assumptions. */
export const DEFAULT_AGENT_OPTIONS: AgentOptions = {
  discovery: "meta",
  permissions: "auto",
  yolo: false,
  timeoutMs: 30_000,
  maxOutput: 30_000,
  enabled: true,
  pauseMs: 8,
};

/** One option as a flag of `mm-repl agent`. */
export interface OptionRow<K extends keyof AgentOptions> {
  /** Without the dashes. */
  readonly flag: string;
  readonly key: K;
  /** The values, as help prints them and an error names them. */
  readonly values: string;
  /** As it would be typed. */
  readonly default: string;
  readonly description: string;
  /** The value of the text, or `undefined` when it is not one. */
  parse(text: string): AgentOptions[K] | undefined;
}

/** A row of {@link AGENT_OPTION_ROWS}. */
export type AgentOptionRow = { [K in keyof AgentOptions]: OptionRow<K> }[keyof AgentOptions];

/** Every option of the reference agent. */
export const AGENT_OPTION_ROWS: readonly AgentOptionRow[] = [
  {
    flag: "discovery",
    key: "discovery",
    values: "meta|request",
    default: "meta",
    description: "how client tools are found: in initialize, or by a request for each session",
    parse: (text) => text === "meta" || text === "request" ? text : undefined,
  },
  {
    flag: "permissions",
    key: "permissions",
    values: "auto|ask",
    default: "auto",
    description: "auto asks before a client tool unless yolo, ask always asks",
    parse: (text) => text === "auto" || text === "ask" ? text : undefined,
  },
  {
    flag: "yolo",
    key: "yolo",
    values: "true|false",
    default: "false",
    description: "start sessions in the mode that asks no permission",
    parse: parseBoolean,
  },
  {
    flag: "timeout",
    key: "timeoutMs",
    values: "SECONDS",
    default: "30",
    description: "bound of one tool call and of the list request",
    parse: parseSeconds,
  },
  {
    flag: "max-output",
    key: "maxOutput",
    values: "CHARACTERS",
    default: "30000",
    description: "longest tool result that the model reads",
    parse: parseCount,
  },
  {
    flag: "enabled",
    key: "enabled",
    values: "true|false",
    default: "true",
    description: "false ignores the tools that a client offers",
    parse: parseBoolean,
  },
  {
    flag: "pause",
    key: "pauseMs",
    values: "MILLISECONDS",
    default: "8",
    description: "pause between two chunks of an answer",
    parse: parseCount,
  },
];

/**
 * Reads flags into options; what is absent keeps its default.
 *
 * @param values by flag name; `true` is a flag given without a value
 * @throws MmError `usage` for a value that the flag does not take
 */
export function parseAgentOptions(
  values: Readonly<Record<string, string | boolean | undefined>>,
): AgentOptions {
  let options = DEFAULT_AGENT_OPTIONS;
  for (const row of AGENT_OPTION_ROWS) {
    const given = values[row.flag];
    if (given === undefined) continue;
    const value = row.parse(String(given));
    if (value === undefined) {
      throw new MmError("usage", `Cannot use --${row.flag} ${given}: it takes ${row.values}`);
    }
    options = { ...options, [row.key]: value };
  }
  return options;
}

function parseBoolean(text: string): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** Seconds, with or without the unit: `30`, `0.5`, `30s`. */
function parseSeconds(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s?$/.exec(text);
  return match ? Math.round(Number(match[1]) * 1000) : undefined;
}

function parseCount(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
