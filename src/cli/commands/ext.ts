/**
 * `mm-repl ext`: one request of an extension method.
 *
 * @module
 */

import { MmError } from "../../base/errors.ts";
import { fromAgentError } from "../../client/errors.ts";
import { withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { AGENT_FLAGS } from "../flags.ts";
import { printForeign } from "../output.ts";
import { PARAMS_OPERAND, parseParams } from "../params.ts";

/** `mm-repl ext METHOD [JSON | key=value…]`. */
export const extCommand: Command = {
  description: "Call an extension method of the agent and print its result as JSON",
  flags: AGENT_FLAGS,
  operands: [
    { name: "method", description: "its name on the wire; begins with _" },
    PARAMS_OPERAND,
  ],
  subcommands: [],
  epilogue: () => "Example: mm-repl ext _example.com/search query=tests limit=5",
  async run(input) {
    const [method = "", ...rest] = input.operands;
    if (!method.startsWith("_")) {
      throw new MmError(
        "usage",
        `Cannot call ${JSON.stringify(method)}: it is no extension method`,
        {
          hint: "Extension methods begin with an underscore.",
        },
      );
    }
    const params = parseParams(rest);
    const seconds = input.values.number("timeout") ?? 30;
    return await withClient(input, async (client) => {
      try {
        const request = { timeoutMs: seconds * 1_000 };
        const result = await client.connection.request(method, params, request);
        await printForeign(`${JSON.stringify(result ?? null, null, 2)}\n`);
        return 0;
      } catch (error) {
        throw fromAgentError(error, { what: `Cannot call ${method}`, method });
      }
    });
  },
};
