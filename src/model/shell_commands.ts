/**
 * The commands that a shell line runs, so that permission rules can be held against each.
 *
 * @module
 */

import { readShell, type ShellToken, type ShellWord, UnclearShell } from "./shell_words.ts";

/** A file that a command is redirected from or to. */
export interface ShellRedirect {
  readonly access: "read" | "write";
  readonly path: string;
}

/** One simple command of a line. */
export interface ShellCommand {
  /** Quotes removed, joined by single spaces, assignments in front included. */
  readonly text: string;
  /** The same without the assignments: the command's name and its arguments. */
  readonly words: readonly string[];
  /** True when the shell puts something else in place of a part of it. */
  readonly dynamic: boolean;
}

/** Everything that a line runs and touches by itself; or why that cannot be said. */
export type ShellLine =
  | {
    readonly clear: true;
    readonly commands: readonly ShellCommand[];
    readonly redirects: readonly ShellRedirect[];
  }
  | { readonly clear: false; readonly reason: string };

/** Finds the commands of a line: parts, subshells, substitutions, and lines given to shells. */
export function parseShell(line: string): ShellLine {
  const found = new Collector();
  try {
    found.addLine(line, 0);
  } catch (error) {
    if (error instanceof UnclearShell) return { clear: false, reason: error.message };
    throw error;
  }
  const { commands, redirects } = found;
  return { clear: true, commands, redirects };
}

/**
 * What a command amounts to once its wrappers and directories are taken away: `/bin/rm x` is also
 * `rm x`, and so is `sudo -n rm x`. Every way to read it, for rules that deny.
 */
export function readingsOf(command: ShellCommand): readonly string[] {
  const { words } = command;
  const starts = WRAPPERS.has(baseName(words[0] ?? "")) ? words.keys() : [0];
  return [...starts].flatMap((start) => {
    const [name = "", ...rest] = words.slice(start);
    return [[name, ...rest].join(" "), [baseName(name), ...rest].join(" ")];
  });
}

/**
 * A command written so that it can mean nothing else; `undefined` where the shell puts something else
 * in place of a part, or variables are set for it.
 */
export function literalOf({ text, words, dynamic }: ShellCommand): string | undefined {
  return dynamic || text !== words.join(" ") ? undefined : words.map(quoteWord).join(" ");
}

/** A word as a shell takes it for exactly this. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Programs that run the program named in their arguments. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "builtin",
  "busybox",
  "chroot",
  "command",
  "doas",
  "env",
  "exec",
  "find",
  "nice",
  "nohup",
  "npx",
  "parallel",
  "setsid",
  "stdbuf",
  "sudo",
  "time",
  "timeout",
  "watch",
  "xargs",
]);
const SHELLS: ReadonlySet<string> = new Set(["ash", "bash", "dash", "ksh", "sh", "zsh"]);

/** Words that stand in front of a command and change nothing about what it is. */
const PREFIXES: ReadonlySet<string> = new Set(
  ["!", "do", "elif", "else", "if", "then", "time", "until", "while", "{"],
);
/** Words that end a compound command. */
const CLOSERS: ReadonlySet<string> = new Set(["done", "fi", "}"]);
const LOOPS: ReadonlySet<string> = new Set(["for", "select"]);
const UNREAD: ReadonlySet<string> = new Set(["[[", "case", "coproc", "esac", "function"]);

const SEPARATORS: ReadonlySet<string> = new Set(["&&", "||", ";", "|", "|&", "&", "\n"]);
const DEEPEST = 16;

class Collector {
  readonly commands: ShellCommand[] = [];
  readonly redirects: ShellRedirect[] = [];

  addLine(line: string, depth: number): void {
    if (depth > DEEPEST) throw new UnclearShell("it nests too deep");
    let words: ShellWord[] = [];
    let redirect: string | undefined;
    let inLoopHead = false;
    let subshells = 0;
    const flush = () => {
      if (redirect !== undefined) throw new UnclearShell("a redirection has no target");
      if (words.length > 0) this.#addCommand(words, depth);
      words = [];
      inLoopHead = false;
    };
    for (const token of readShell(line)) {
      if (token.type === "word") {
        for (const nested of token.nested) this.addLine(nested, depth + 1);
        if (redirect !== undefined) {
          this.#addRedirect(redirect, token);
          redirect = undefined;
        } else if (words.length === 0 && isKeyword(token, UNREAD)) {
          throw new UnclearShell(`it contains ${token.text}`);
        } else if (words.length === 0 && isKeyword(token, LOOPS)) {
          inLoopHead = true;
        } else if (!inLoopHead && !(words.length === 0 && isSkipped(token))) {
          words.push(token);
        }
      } else if (SEPARATORS.has(token.text)) {
        flush();
      } else if (token.text === "(") {
        if (words.length > 0 || inLoopHead) throw new UnclearShell("it defines a function or list");
        subshells++;
      } else if (token.text === ")") {
        flush();
        if (--subshells < 0) throw new UnclearShell("a parenthesis is not opened");
      } else {
        redirect = startRedirect(redirect, token);
      }
    }
    flush();
    if (subshells > 0) throw new UnclearShell("a parenthesis is not closed");
  }

  #addRedirect(operator: string, target: ShellWord): void {
    const copies = operator === ">&" || operator === "<&";
    if (operator === "<<<" || (copies && /^(\d+|-)$/.test(target.text))) return;
    if (target.dynamic) throw new UnclearShell("the target of a redirection is computed");
    if (target.text === "/dev/null") return;
    const access = operator.startsWith("<") && operator !== "<>" ? "read" : "write";
    this.redirects.push({ access, path: target.text });
  }

  #addCommand(tokens: readonly ShellWord[], depth: number): void {
    const first = tokens.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word.text));
    const words = first < 0 ? [] : tokens.slice(first);
    const name = words[0];
    if (name?.dynamic) throw new UnclearShell("the name of a command is computed");
    if (name !== undefined && /\s/.test(name.text)) {
      throw new UnclearShell("the name of a command contains a space");
    }
    this.commands.push({
      text: tokens.map((word) => word.text).join(" "),
      words: words.map((word) => word.text),
      dynamic: words.some((word) => word.dynamic),
    });
    for (const line of givenLines(words)) this.addLine(line, depth + 1);
  }
}

/** The lines that a command has run by a shell: `sh -c LINE`, `eval WORDS`. */
function givenLines(words: readonly ShellWord[]): readonly string[] {
  const name = baseName(words[0]?.text ?? "");
  const starts = WRAPPERS.has(name) ? [...words.keys()] : [0];
  return starts.flatMap((start) => {
    const program = baseName(words[start]?.text ?? "");
    const rest = words.slice(start + 1);
    if (program === "eval") return [lineOf(rest)];
    if (!SHELLS.has(program)) return [];
    const flag = rest.findIndex((word) => /^-\w*c\w*$/.test(word.text));
    return flag < 0 ? [] : [lineOf(rest.slice(flag + 1, flag + 2))];
  });
}

function lineOf(words: readonly ShellWord[]): string {
  if (words.some((word) => word.dynamic)) {
    throw new UnclearShell("a line for another shell is computed");
  }
  return words.map((word) => word.text).join(" ");
}

function startRedirect(open: string | undefined, token: ShellToken): string {
  if (open !== undefined) throw new UnclearShell("a redirection has no target");
  return token.text;
}

function isSkipped(word: ShellWord): boolean {
  return isKeyword(word, PREFIXES) || isKeyword(word, CLOSERS);
}

function isKeyword(word: ShellWord, set: ReadonlySet<string>): boolean {
  return !word.quoted && set.has(word.text);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
