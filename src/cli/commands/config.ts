/**
 * `mm-repl config`: what configuration files may say.
 *
 * @module
 */

import { findPaths, userConfigFile } from "../../config/paths.ts";
import { settingsHelp, settingsJsonSchema } from "../../config/settings.ts";
import type { Command } from "../command.ts";
import { printOut } from "../output.ts";

const schemaCommand: Command = {
  description:
    'Print the JSON Schema of configuration files; save it and name it in "$schema" for completion in editors',
  flags: [],
  operands: [],
  subcommands: [],
  async run() {
    await printOut(`${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
    return 0;
  },
};

const listCommand: Command = {
  description: "List every setting with its values, default and meaning",
  flags: [],
  operands: [],
  subcommands: [],
  async run() {
    await printOut(`${settingsText()}\n`);
    return 0;
  },
};

/** `mm-repl config`. */
export const configCommand: Command = {
  description: "Settings come from the user's file, then <directory>/.mm-repl.jsonc, then flags",
  flags: [],
  operands: [],
  subcommands: [
    {
      name: "schema",
      summary: "print the JSON Schema of configuration files",
      load: () => Promise.resolve(schemaCommand),
    },
    {
      name: "list",
      summary: "list every setting",
      load: () => Promise.resolve(listCommand),
    },
  ],
  epilogue: () => `The user's file: ${userConfigFile(findPaths())}`,
};

function settingsText(): string {
  const remark = { free: "", narrow: "; a project may only narrow it", confirm: "; asked about" };
  return settingsHelp().map((row) =>
    `${row.key}\n  ${row.description}\n  ${row.type}; default: ${row.fallback}${
      remark[row.project]
    }`
  ).join("\n\n");
}
