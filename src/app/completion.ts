/**
 * Proposals while a person types: commands, their arguments, files.
 *
 * @module
 */

import type { CommandHost } from "./commands/command.ts";
import { COMMANDS, findCommand } from "./commands/mod.ts";
import { fuzzyFilter } from "./fuzzy.ts";
import { writeMention } from "./mentions.ts";
import type { ProjectFiles } from "./project_files.ts";
import type { Completion, Completions } from "./view.ts";

/** Files that are proposed, at most. */
const FILE_LIMIT = 30;

/** Commands and arguments that are proposed, at most. */
const LIMIT = 300;

/** Proposes for the text before `cursor`; nothing when there is nothing to propose. */
export async function complete(
  text: string,
  cursor: number,
  host: CommandHost,
  files: ProjectFiles,
): Promise<Completions> {
  const typed = text.slice(0, cursor);
  if (typed.startsWith("/")) {
    const commands = completeCommand(typed, host);
    if (commands.items.length > 0) return commands;
  }
  const mention = /(?:^|[\s([{<'"«“‘,;:])@("[^"\n]*|(?:\\.|[^\s\\"])*)$/u.exec(typed);
  if (mention === null) return { start: cursor, items: [] };
  const start = cursor - (mention[1] ?? "").length - 1;
  const name = (mention[1] ?? "").replace(/^"/u, "").replace(/\\(.)/gu, "$1");
  const names = fuzzyFilter(name, await files.list(host.active.store.state.cwd), FILE_LIMIT);
  return {
    start,
    items: names.map((path) => ({ insert: writeMention(path), label: path })),
  };
}

function completeCommand(typed: string, host: CommandHost): Completions {
  const args = /^\/(\S+)\s+/u.exec(typed);
  if (args === null) return { start: 0, items: filter(typed, commandNames(host)) };
  const start = args[0].length;
  const rest = typed.slice(start);
  const items = findCommand(args[1] ?? "")?.complete(host, rest) ?? [];
  return { start, items: filter(rest, items) };
}

function commandNames(host: CommandHost): readonly Completion[] {
  const own = COMMANDS.map(({ name, args, help }) => ({
    insert: args === "" ? `/${name}` : `/${name} `,
    label: `/${name} ${args}`.trim(),
    description: help,
  }));
  const names = new Set(COMMANDS.map(({ name }) => name));
  const agent = host.active.store.state.commands.map(({ name, description, hint }) => {
    const written = names.has(name) ? `//${name}` : `/${name}`;
    return {
      insert: hint === undefined ? written : `${written} `,
      label: `${written} ${hint ?? ""}`.trim(),
      description: `${description} (agent)`,
    };
  });
  return [...own, ...agent];
}

/** Those that begin with what was typed, in their order, then those that merely contain it. */
function filter(typed: string, items: readonly Completion[]): readonly Completion[] {
  const wanted = typed.toLowerCase();
  const begins = items.filter(({ insert }) => insert.toLowerCase().startsWith(wanted));
  const word = wanted.replace(/^\//u, "");
  const contains = items.filter((item) =>
    !begins.includes(item) && item.insert.toLowerCase().includes(word)
  );
  return [...begins, ...contains].slice(0, LIMIT);
}
