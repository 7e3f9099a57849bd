/**
 * `mm-repl ext`: one request of an extension method.
 *
 * @module
 */

import { messageOf, MmError } from "../../base/errors.ts";
import { fromAgentError } from "../../client/errors.ts";
import { withClient } from "../client.ts";
import type { Command } from "../command.ts";
import { AGENT_FLAGS } from "../flags.ts";
import { printOut } from "../output.ts";

/** `mm-repl ext METHOD [JSON | key=value…]`. */
export const extCommand: Command = {
  description: "Call an extension method of the agent and print its result as JSON",
  flags: AGENT_FLAGS,
  operands: [
    { name: "method", description: "its name on the wire; begins with _" },
    {
      name: "params",
      description: "a JSON object, or key=value pairs whose values are JSON where they can be",
      optional: true,
      variadic: true,
    },
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
        await printOut(`${JSON.stringify(result ?? null, null, 2)}\n`);
        return 0;
      } catch (error) {
        throw fromAgentError(error, { what: `Cannot call ${method}`, method });
      }
    });
  },
};

/**
 * Reads the params: one JSON object or list, or `key=value` words.
 *
 * @throws {MmError} `usage`
 */
export function parseParams(words: readonly string[]): unknown {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1 && /^\s*[[{]/.test(first)) {
    const value = parseJson(first);
    if (value.ok) return value.value;
    throw new MmError("usage", `Cannot read the params: ${value.reason}`);
  }
  const pairs = words.map((word) => {
    const equals = word.indexOf("=");
    if (equals < 1) {
      throw new MmError("usage", `Cannot read ${JSON.stringify(word)}: params are key=value`, {
        hint: 'Or one JSON object: \'{"key": "value"}\'.',
      });
    }
    const text = word.slice(equals + 1);
    const value = parseJson(text);
    return [word.slice(0, equals), value.ok ? value.value : text] as const;
  });
  return Object.fromEntries(pairs);
}

function parseJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | {
  readonly ok: false;
  readonly reason: string;
} {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}
