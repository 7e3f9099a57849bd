/**
 * `mm-repl ext`: the extension methods of an agent, listed, explained and called.
 *
 * @module
 */

import type { Client } from "../../api/contract.ts";
import {
  answerTable,
  explainMethod,
  loadCatalog,
  prepareCall,
  sendCall,
} from "../../app/extensions.ts";
import type { AppOptions } from "../../app/options.ts";
import { sanitizeText } from "../../base/sanitize.ts";
import { describeCall } from "../../model/extension_method.ts";
import { withClient } from "../client.ts";
import type { Command, CommandInput } from "../command.ts";
import { AGENT_FLAGS, type FlagRow, flagRows } from "../flags.ts";
import { printErr, printOut } from "../output.ts";
import { tableLines } from "../table.ts";

/** How long an answer is waited for, in seconds. */
const CALL_SECONDS = 300;

const FLAGS: readonly FlagRow[] = [
  { name: "json", description: "the whole result as JSON, never as a table", group: "Output" },
  {
    name: "no-check",
    description: "send the params even where they are not what the method is known to require",
    group: "Output",
  },
  ...flagRows("color"),
  ...AGENT_FLAGS,
];

/** `mm-repl ext [METHOD [JSON | key=value…]]`. */
export const extCommand: Command = {
  description: "Call an extension method of the agent; without one list those that are known",
  flags: FLAGS,
  operands: [
    {
      name: "method",
      description: "its name on the wire, which begins with _, or the end of a known one; or help",
      optional: true,
    },
    {
      name: "params",
      description: "a JSON object, or key=value pairs whose values are JSON where they can be",
      optional: true,
      variadic: true,
    },
  ],
  subcommands: [],
  epilogue: () =>
    [
      "Examples:",
      "  mm-repl ext                        the methods that are known of this agent",
      "  mm-repl ext help plan/status       what one of them takes",
      "  mm-repl ext plan/status plan_id=7",
      '  mm-repl ext _example.com/search \'{"query": "tests", "limit": 5}\'',
    ].join("\n"),
  run: (input) => withClient(input, (client, options) => run(input, client, options)),
};

async function run(input: CommandInput, client: Client, options: AppOptions): Promise<number> {
  const [name, ...words] = input.operands;
  const catalog = await loadCatalog(client, options.settings);
  if (name === undefined) {
    if (catalog.methods.length === 0) printErr("No extension methods are known of this agent.");
    const rows = catalog.methods.map((row) => [describeCall(row), row.description]);
    if (rows.length > 0) await printOut(lines(tableLines(["call", "what it does"], rows)));
    return 0;
  }
  if (name === "help") {
    const explained = explainMethod(catalog, words[0] ?? "", "mm-repl ext");
    await printOut(lines(explained.map((line) => sanitizeText(line))));
    return 0;
  }
  const call = prepareCall({ catalog, name, words, check: !input.values.has("no-check") });
  const timeoutMs = (input.values.number("timeout") ?? CALL_SECONDS) * 1_000;
  await printOut(await render(await sendCall(client, call, { timeoutMs }), input, options));
  return 0;
}

async function render(answer: unknown, input: CommandInput, options: AppOptions): Promise<string> {
  const json = JSON.stringify(answer ?? null, null, 2);
  if (input.values.has("json")) return lines([json]);
  const table = answerTable(answer);
  if (table !== undefined) return lines(tableLines(table.head, table.rows));
  // What another program reads stays as it is.
  if (!Deno.stdout.isTerminal()) return lines([json]);
  return lines(await colour(sanitizeText(json), options.settings?.color));
}

async function colour(json: string, color: "auto" | "always" | "never" = "auto") {
  const [{ highlightLines, loadHighlighter }, { chooseTheme, themeNamed }] = await Promise.all([
    import("../../front/tui/highlight.ts"),
    import("../../front/tui/theme.ts"),
  ]);
  const theme = chooseTheme({ color, env: (name) => Deno.env.get(name) });
  if (theme !== "plain") await loadHighlighter();
  return highlightLines(json, "json", themeNamed(theme));
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
