/**
 * Completion scripts, made from the rows of the commands.
 *
 * @module
 */

import type { Command } from "./command.ts";
import type { FlagRow } from "./flags.ts";
import { BUILTIN_AGENTS, DEMO_AGENT } from "../config/builtin_agents.ts";

/** A command and everything below it. */
export interface CompletionNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagRow[];
  readonly children: readonly CompletionNode[];
}

/** A shell that we can write a script for. */
export interface CompletionShell {
  /** How to use the script: one line. */
  readonly install: string;
  render(tree: CompletionNode): string;
}

/** The shells, by name. */
export const COMPLETION_SHELLS: Readonly<Record<string, CompletionShell>> = {
  bash: { install: "bash: source <(mm-repl completions bash)", render: renderBash },
  zsh: {
    install: 'zsh:  mm-repl completions zsh > "${fpath[1]}/_mm-repl"',
    render: renderZsh,
  },
  fish: {
    install: "fish: mm-repl completions fish > ~/.config/fish/completions/mm-repl.fish",
    render: renderFish,
  },
};

/** Loads a command and everything below it. */
export async function loadCompletionTree(
  name: string,
  command: Command,
  summary = command.description,
): Promise<CompletionNode> {
  const shown = command.subcommands.filter((row) => !row.hidden);
  const children = shown.map(async (row) =>
    loadCompletionTree(row.name, await row.load(), row.summary)
  );
  return { name, summary, flags: command.flags, children: await Promise.all(children) };
}

/** Every node with the path to it, the program first. */
function walk(node: CompletionNode, above: readonly string[] = []): [string[], CompletionNode][] {
  const path = [...above, node.name];
  return [[path, node], ...node.children.flatMap((child) => walk(child, path))];
}

/** What the value of a flag can be: words, or what the shell knows. */
function wordsOf(flag: FlagRow): readonly string[] {
  if (flag.choices !== undefined) return flag.choices;
  return flag.name === "agent" ? [...Object.keys(BUILTIN_AGENTS), DEMO_AGENT] : [];
}

function renderBash(tree: CompletionNode): string {
  const paths = walk(tree);
  const flags = new Map(paths.flatMap(([, node]) => node.flags.map((flag) => [flag.name, flag])));
  const values = [...flags.values()].flatMap((flag) => {
    const words = wordsOf(flag);
    const action = words.length > 0
      ? `-W "${words.join(" ")}"`
      : { file: "-f", directory: "-d", none: "" }[flag.completes ?? "none"];
    if (flag.value === undefined || flag.bare !== undefined) return [];
    const names = flag.short === undefined ? `--${flag.name}` : `--${flag.name}|-${flag.short}`;
    const reply = action === "" ? "COMPREPLY=()" : `COMPREPLY=($(compgen ${action} -- "$cur"))`;
    return [`    ${names}) ${reply}; return ;;`];
  });
  const cases = paths.map(([path, node]) => {
    const words = [
      ...node.children.map((child) => child.name),
      ...node.flags.map((flag) => `--${flag.name}`),
      "--help",
    ];
    return `    "${path.join(" ")}") words="${words.join(" ")}" ;;`;
  });
  const known = paths.slice(1).map(([path]) => `"${path.join(" ")}"`);
  return `# bash completion of ${tree.name}
_mm_repl() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words="" path="${tree.name}" word
  case "$prev" in
${values.join("\n")}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${known.join("|")}) path="$path $word" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _mm_repl ${tree.name}
`;
}

function renderZsh(tree: CompletionNode): string {
  const functions = walk(tree).map(([path, node]) => {
    const name = zshName(path);
    const flags = [...node.flags.map(zshFlag), "'--help[print this help]'"];
    const parts = flags.map((flag) => `    ${flag} \\`);
    if (node.children.length === 0) {
      return `${name}() {\n  _arguments \\\n${parts.join("\n")}\n    '*:file:_files'\n}`;
    }
    const rows = node.children.map((child) => `    ${quoteSh(`${child.name}:${child.summary}`)}`);
    const calls = node.children.map((child) =>
      `      ${child.name}) ${zshName([...path, child.name])} ;;`
    );
    return `${name}() {
  local -a commands=(
${rows.join("\n")}
  )
  local line state
  _arguments -C \\
${parts.join("\n")}
    '1: :->command' \\
    '*:: :->arguments'
  case $state in
    command) _describe command commands ;;
    arguments) case $line[1] in
${calls.join("\n")}
    esac ;;
  esac
}`;
  });
  return `#compdef ${tree.name}\n${functions.join("\n\n")}\n\n${zshName([tree.name])} "$@"\n`;
}

function zshName(path: readonly string[]): string {
  return `_${path.join("_").replaceAll("-", "_")}`;
}

function zshFlag(flag: FlagRow): string {
  const star = flag.repeatable ? "*" : "";
  const words = wordsOf(flag);
  const action = words.length > 0
    ? `(${words.join(" ")})`
    : { file: "_files", directory: "_files -/", none: "" }[flag.completes ?? "none"];
  const value = flag.value === undefined
    ? ""
    : `${flag.bare === undefined ? "" : ":"}:${flag.name}:${action}`;
  const description = flag.description.replaceAll(/[[\]:]/g, "\\$&");
  return quoteSh(`${star}--${flag.name}[${description}]${value}`);
}

function renderFish(tree: CompletionNode): string {
  const lines = walk(tree).flatMap(([path, node]) => {
    const when = fishCondition(path.slice(1), node);
    const children = node.children.map((child) =>
      `complete -c ${tree.name} -n ${when} -f -a ${child.name} -d ${quoteSh(child.summary)}`
    );
    const flags = node.flags.map((flag) => {
      const words = wordsOf(flag);
      const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
      const value = flag.value === undefined || flag.bare !== undefined
        ? ""
        : words.length > 0
        ? ` -x -a ${quoteSh(words.join(" "))}`
        : flag.completes === undefined
        ? " -x"
        : " -r -F";
      return `complete -c ${tree.name} -n ${when}${short} -l ${flag.name}${value} -d ${
        quoteSh(flag.description)
      }`;
    });
    return [...children, ...flags];
  });
  return `# fish completion of ${tree.name}\n${lines.join("\n")}\n`;
}

function fishCondition(path: readonly string[], node: CompletionNode): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = node.children.map((child) => child.name).join(" ");
  const notBelow = names === "" ? [] : [`not __fish_seen_subcommand_from ${names}`];
  const all = [...seen, ...notBelow];
  return quoteSh(all.length === 0 ? "true" : all.join("; and "));
}

function quoteSh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
