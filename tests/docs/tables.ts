/**
 * The tables of the documents, made from the tables of the code.
 *
 * @module
 */

import { PHRASES } from "../../src/agent/phrases.ts";
import { AGENT_OPTION_ROWS } from "../../src/agent/mod.ts";
import { COMMANDS } from "../../src/app/commands/mod.ts";
import { ERROR_TABLE } from "../../src/base/errors.ts";
import { asObject, asString } from "../../src/base/guards.ts";
import type { Command } from "../../src/cli/command.ts";
import { FLAGS } from "../../src/cli/flags.ts";
import { PROGRAM, rootCommand } from "../../src/cli/root.ts";
import { BUILTIN_AGENTS, DEMO_AGENT } from "../../src/config/builtin_agents.ts";
import { settingsHelp, settingsJsonSchema } from "../../src/config/settings.ts";
import { type KeyPlace, type KeyRow, KEYS } from "../../src/front/tui/keys.ts";

/** Makes the text of one marked part. */
export type TableMaker = () => string | Promise<string>;

/** What each marked part of a document must say. */
export const TABLES: Readonly<Record<string, TableMaker>> = {
  flags: () =>
    table(
      ["Flag", "Meaning"],
      FLAGS.map(({ name, short, value, choices, repeatable, description }) => [
        [...short === undefined ? [] : [code(`-${short}`)], code(`--${name} ${value ?? ""}`)]
          .join(", "),
        description + (choices === undefined ? "" : `: ${choices.map(code).join(", ")}`) +
        (repeatable ? " (may be given several times)" : ""),
      ]),
    ),
  subcommands: async () =>
    table(
      ["Command", "What it does"],
      (await commandRows(PROGRAM, rootCommand)).map(([usage, what]) => [code(usage), what]),
    ),
  exit: () =>
    table(["Status", "Code", "Meaning"], [
      ["0", "", "the turn ended, or the command did its work"],
      ...Object.entries(ERROR_TABLE)
        .toSorted(([, a], [, b]) => a.exit - b.exit)
        .map(([name, { exit, meaning }]) => [String(exit), code(name), meaning]),
    ]),
  settings: () =>
    table(
      ["Key", "Value", "Default", "Meaning", "In a project's file"],
      settingsHelp().map(({ key, type, fallback, description, project }) => [
        code(key),
        type.replace(/"([^"]*)"/g, (_, word) => code(word)),
        fallback,
        description,
        PROJECT_WORDS[project],
      ]),
    ),
  "agent-settings": () => fields("agents", "additionalProperties"),
  "rule-settings": () => fields("permissionRules", "items"),
  "mcp-settings": () => fields("mcpServers", "additionalProperties"),
  agents: () =>
    table(["Name", "Starts", "What it is"], [
      ...Object.entries(BUILTIN_AGENTS).map(([name, { command, args, description }]) => [
        code(name),
        code([command, ...args].join(" ")),
        description,
      ]),
      [code(DEMO_AGENT), "", "the embedded agent, in the same process"],
    ]),
  keys: () => PLACES.map(([place, heading]) => `### ${heading}\n\n${keyTable(place)}`).join("\n\n"),
  commands: () =>
    table(
      ["Command", "What it does"],
      COMMANDS.map(({ name, args, help }) => [code(`/${name} ${args}`), help]),
    ),
  phrases: () =>
    table(["Say", "It shows"], PHRASES.map(({ usage, shows }) => [code(usage), shows])),
  "agent-options": () =>
    table(
      ["Flag", "Default", "Meaning"],
      AGENT_OPTION_ROWS.map((row) => [
        code(`--${row.flag} ${row.values}`),
        code(row.default),
        row.description,
      ]),
    ),
};

const PROJECT_WORDS = {
  free: "counts",
  narrow: "may narrow; else asked about",
  confirm: "asked about",
} as const;

const PLACES: readonly (readonly [KeyPlace, string])[] = [
  ["everywhere", "Everywhere"],
  ["editor", "In the text"],
  ["question", "In a question"],
];

function keyTable(place: KeyPlace): string {
  const rows: readonly (readonly [string, KeyRow])[] = Object.entries(KEYS);
  return table(
    ["Keys", "What they do", "Action"],
    rows.filter(([, row]) => row.place === place).map(([action, { keys, description }]) => [
      keys.map(code).join(", "),
      description,
      code(action),
    ]),
  );
}

/** The members of a setting that is made of objects. */
function fields(key: string, inner: string): string {
  const properties = asObject(settingsJsonSchema().properties);
  const shape = asObject(asObject(properties[key])[inner]);
  return table(
    ["Key", "Meaning"],
    Object.entries(asObject(shape.properties)).map(([name, value]) => [
      code(name),
      asString(asObject(value).description) ?? "",
    ]),
  );
}

async function commandRows(path: string, command: Command): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  for (const { name, summary, hidden, load } of command.subcommands) {
    if (hidden) continue;
    const loaded = await load();
    const usage = [
      `${path} ${name}`,
      ...loaded.operands.map(({ name, optional, variadic }) => {
        const word = `${name.toUpperCase()}${variadic ? "…" : ""}`;
        return optional ? `[${word}]` : word;
      }),
    ];
    if (loaded.run !== undefined) rows.push([usage.join(" "), summary]);
    rows.push(...await commandRows(`${path} ${name}`, loaded));
  }
  return rows;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
  return `\`${text.trim()}\``;
}
