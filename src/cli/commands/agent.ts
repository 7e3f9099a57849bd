/**
 * `mm-repl agent`: the embedded reference agent on stdio.
 *
 * @module
 */

import { AGENT_OPTION_ROWS, parseAgentOptions, serveAgentOnStdio } from "../../agent/mod.ts";
import type { Command } from "../command.ts";
import type { FlagRow } from "../flags.ts";

/** `mm-repl agent`. */
export const agentCommand: Command = {
  description:
    "Serve the embedded reference agent on stdin and stdout: a stand-in for mm -acp, with its configuration as flags",
  flags: AGENT_OPTION_ROWS.map((row): FlagRow => ({
    name: row.flag,
    value: row.values,
    ...(row.parse("true") === true ? { bare: "true" } : {}),
    description: `${row.description} (default: ${row.default})`,
    group: "Options",
  })),
  operands: [],
  subcommands: [],
  async run({ values }) {
    const given = AGENT_OPTION_ROWS.map((row) => [row.flag, values.text(row.flag)]);
    return await serveAgentOnStdio(parseAgentOptions(Object.fromEntries(given)));
  },
};
