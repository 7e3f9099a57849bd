/**
 * The commands that a shell line runs, so that permission rules can be held against each.
 *
 * @module
 */

import { givenLines } from "./shell_given.ts";
import { refuseComputedName, refuseOddName, refuseOddWords } from "./shell_oddities.ts";
import { isPlain } from "./shell_programs.ts";
import { withoutTrimmings } from "./shell_trimmings.ts";
import { type ShellToken, type ShellWord, UnclearShell } from "./shell_token.ts";
import { readShell } from "./shell_words.ts";
import { baseName, MOST_PROGRAMS, programsOf } from "./shell_wrappers.ts";

/** A file that a command is redirected from or to. */
export interface ShellRedirect {
  readonly access: "read" | "write";
  readonly path: string;
}

/** One simple command of a line. */
export interface ShellCommand {
  /** Quotes removed, joined by single spaces, assignments in front included. */
  readonly text: string;
  /** The same without what changes nothing about it, where it has such. */
  readonly bare?: string;
  /** The command's name and its arguments, without the assignments. */
  readonly words: readonly string[];
  /** The values that are assigned to variables in front of it. */
  readonly assigned: readonly string[];
  /** Words that loops of the line run over. */
  readonly looped: readonly string[];
  /** Its arguments as they were read. */
  readonly args: readonly ShellWord[];
  /** True when the shell puts something else in place of a part of it. */
  readonly dynamic: boolean;
  /** What is written to its input in the line itself, by `<<<` or `<<END`. */
  readonly input: readonly string[];
  /** True when what it says is another program's input. */
  readonly feeds: boolean;
  /** True when nothing that it is given, or that it gives to others, is run by a program. */
  readonly plain: boolean;
}

/** Everything that a line runs and touches by itself; or why that cannot be said. */
export type ShellLine =
  | {
    readonly clear: true;
    readonly commands: readonly ShellCommand[];
    readonly redirects: readonly ShellRedirect[];
    /** Where `cd` leads to, in order; absent when that cannot be said. */
    readonly moves?: readonly string[];
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
  return found.line();
}

/**
 * What a command amounts to once its wrappers and directories are taken away: `/bin/rm x` is also
 * `rm x`, and so is `sudo -n rm x`. Every way to read it, for rules that restrict.
 */
export function readingsOf({ words }: ShellCommand): readonly string[] {
  return programsOf(words).flatMap(([name = "", ...rest]) => {
    return [[name, ...rest].join(" "), [baseName(name), ...rest].join(" ")];
  });
}

/**
 * A command written so that it can mean nothing else; `undefined` where the shell puts something else
 * in place of a part, or variables are set for it.
 */
export function literalOf({ words, dynamic, assigned, input }: ShellCommand): string | undefined {
  if (dynamic || assigned.length > 0 || input.length > 0) return undefined;
  return words.map(quoteWord).join(" ");
}

/** A word as a shell takes it for exactly this. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Words that stand in front of a command and change nothing about what it is. */
const PREFIXES: ReadonlySet<string> = new Set(
  ["!", "do", "elif", "else", "if", "then", "time", "until", "while", "{"],
);
/** Words that end a compound command. */
const CLOSERS: ReadonlySet<string> = new Set(["done", "fi", "}"]);
const LOOPS: ReadonlySet<string> = new Set(["for", "select"]);
const UNREAD: ReadonlySet<string> = new Set(["case", "coproc", "esac", "function"]);
const BRACES: ReadonlySet<string> = new Set(["{", "}"]);
const SEPARATORS: ReadonlySet<string> = new Set(["&&", "||", ";", "|", "|&", "&", "\n"]);
const DEEPEST = 8;
/** More changes of the directory are not followed. */
const MOST_MOVES = 3;
/** Lines with more commands and redirections, or words, are not read. */
const MOST_PARTS = 250;
const MOST_WORDS = 1000;

type FoundCommand = Omit<ShellCommand, "plain" | "feeds" | "looped">;

class Collector {
  readonly #commands: FoundCommand[] = [];
  readonly #redirects: ShellRedirect[] = [];
  readonly #moves: (string | undefined)[] = [];
  /** How many commands stood before each pipe. */
  readonly #pipes: number[] = [];
  /** Which commands write to pipes, by their place. */
  readonly #feeding = new Set<number>();
  readonly #looped: string[] = [];
  #loops = false;
  #words = 0;

  line(): ShellLine {
    const plain = this.#commands.map(({ words }) => isPlain(words));
    // What a command says is run where it is piped to something that may run it.
    const reached = plain.lastIndexOf(false);
    const lastPipe = this.#pipes.findLast((pipe) => pipe <= reached) ?? 0;
    const moves = this.#moves.flatMap((move) => move ?? []);
    const known = moves.length === this.#moves.length && moves.length <= MOST_MOVES &&
      (!this.#loops || moves.every((move) => move.startsWith("/")));
    return {
      clear: true,
      commands: this.#commands.map((command, index) => ({
        ...command,
        plain: plain[index] === true && index >= lastPipe,
        feeds: this.#feeding.has(index),
        looped: this.#looped,
      })),
      redirects: this.#redirects,
      ...(known ? { moves } : {}),
    };
  }

  addLine(line: string, depth: number): void {
    if (depth > DEEPEST) throw new UnclearShell("it nests too deep");
    let words: ShellWord[] = [];
    let input: ShellWord[] = [];
    let redirect: string | undefined;
    /** Words of the head of a loop so far. */
    let head: number | undefined;
    let timed = false;
    /** A part of a command that not every shell takes for one has ended. */
    let parted = false;
    let subshells = 0;
    const first = this.#commands.length;
    const flush = () => {
      if (redirect !== undefined) throw new UnclearShell("a redirection has no target");
      if (words.length > 0) this.#addCommand(words, input, depth);
      else if (input.length > 0) throw new UnclearShell("its input goes to what is not a command");
      words = [];
      input = [];
      head = undefined;
      timed = false;
      parted = false;
    };
    for (const token of readShell(line)) {
      if (token.type === "operator") {
        if (SEPARATORS.has(token.text)) {
          const alone = words.length > 0;
          flush();
          if (token.text.startsWith("|") && token.text !== "||") {
            this.#addPipe(alone ? this.#commands.length - 1 : first);
          }
        } else if (token.text === "(") {
          if (words.length > 0 || head !== undefined) {
            throw new UnclearShell("it defines a function or list");
          }
          subshells++;
        } else if (token.text === ")") {
          flush();
          if (--subshells < 0) throw new UnclearShell("a parenthesis is not opened");
        } else {
          redirect = startRedirect(redirect, token);
          parted ||= redirect.startsWith("&>");
        }
        continue;
      }
      if (++this.#words > MOST_WORDS) throw new UnclearShell("it has too many words");
      for (const nested of token.nested) this.addLine(nested, depth + 1);
      if (redirect !== undefined) {
        if (redirect === "<<<") input.push(token);
        else this.#addRedirect(redirect, token);
        redirect = undefined;
      } else if (parted) {
        throw new UnclearShell("some shells take what follows &> for another command");
      } else if (head !== undefined) {
        head++;
        this.#looped.push(token.text);
        // The loop runs over the arguments of the script: `for x do …`.
        if (head === 2 && isKeyword(token, PREFIXES)) head = undefined;
        else if (head === 2 && token.text !== "in") throw new UnclearShell("it has an odd loop");
      } else if (words.length > 0) {
        if (isKeyword(token, BRACES)) {
          throw new UnclearShell(`it has a ${token.text} as an argument`);
        }
        words.push(token);
      } else if (isKeyword(token, UNREAD)) {
        throw new UnclearShell(`it contains ${token.text}`);
      } else if (isKeyword(token, LOOPS)) {
        head = 0;
        this.#loops = true;
      } else if (isKeyword(token, PREFIXES) || isKeyword(token, CLOSERS)) {
        timed = token.text === "time";
        this.#loops ||= token.text === "while" || token.text === "until";
      } else if (!(timed && (token.text === "-p" || token.text === "--"))) {
        words.push(token);
      }
    }
    flush();
    if (subshells > 0) throw new UnclearShell("a parenthesis is not closed");
  }

  /** Takes a pipe that the commands from a place on may write to. */
  #addPipe(from: number): void {
    this.#pipes.push(this.#commands.length);
    for (let at = from; at < this.#commands.length; at++) this.#feeding.add(at);
  }

  #refuseMany(): void {
    if (this.#commands.length + this.#redirects.length >= MOST_PARTS) {
      throw new UnclearShell("it has too many parts");
    }
  }

  #addRedirect(operator: string, target: ShellWord): void {
    this.#refuseMany();
    const copies = operator === ">&" || operator === "<&";
    if (copies && /^(\d+-?|-)$/.test(target.text)) return;
    // Some shells look into the name behind `>&` once more, quoted or not.
    if (target.expands !== undefined || /[$`]/.test(target.text)) {
      throw new UnclearShell("the target of a redirection is computed");
    }
    // To some shells a part of the operator.
    if (target.text.startsWith("!")) throw new UnclearShell("a redirection begins with !");
    if (target.text === "/dev/null") return;
    const access = operator.startsWith("<") && operator !== "<>" ? "read" : "write";
    this.#redirects.push({ access, path: target.text });
  }

  #addCommand(tokens: readonly ShellWord[], input: readonly ShellWord[], depth: number): void {
    this.#refuseMany();
    const first = tokens.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word.text));
    const named = first < 0 ? [] : tokens.slice(first);
    const assignments = first < 0 ? tokens : tokens.slice(0, first);
    const [name, ...args] = named;
    const words = named.map((word) => word.text);
    if (name !== undefined) refuseOddName(name);
    refuseOddWords(words);
    const bare = withoutTrimmings(assignments.map((word) => word.text), words);
    this.#commands.push({
      text: tokens.map((word) => word.text).join(" "),
      ...(bare === undefined ? {} : { bare: bare.join(" ") }),
      words,
      assigned: assignments.map(({ text }) => text.slice(text.indexOf("=") + 1)),
      args,
      dynamic: named.some((word) => word.expands !== undefined),
      input: input.map((word) => word.text),
    });
    const programs = programsOf(words);
    if (programs.length > MOST_PROGRAMS) throw new UnclearShell("it runs too many programs");
    for (const program of programs) {
      const own = named.slice(named.length - program.length);
      if (own[0] !== undefined) refuseComputedName(own[0]);
      for (const line of givenLines(own, input)) this.addLine(line, depth + 1);
      this.#addMove(own);
    }
  }

  #addMove([name, ...args]: readonly ShellWord[]): void {
    const command = name?.text ?? "";
    if (["popd", "dirs"].includes(command)) this.#moves.push(undefined);
    if (!["cd", "chdir", "pushd"].includes(command)) return;
    // With two words some shells change a part of where they are.
    const [target, ...others] = args.filter((word) => !/^-[A-Za-z@]+$|^--$/.test(word.text));
    const clear = target !== undefined && target.expands === undefined && others.length === 0 &&
      !/^[-+=]|^~[^/]/.test(target.text);
    this.#moves.push(clear ? target.text : undefined);
  }
}

function startRedirect(open: string | undefined, token: ShellToken): string {
  if (open !== undefined) throw new UnclearShell("a redirection has no target");
  return token.text;
}

function isKeyword(word: ShellWord, set: ReadonlySet<string>): boolean {
  return !word.quoted && set.has(word.text);
}
