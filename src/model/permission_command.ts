/**
 * Whether the command of a permission rule is the one of a request.
 *
 * @module
 */

import { matchGlob, mayMatchName } from "./glob.ts";
import type { Match } from "./permission_match.ts";
import type { PermissionRule } from "./permission_rules.ts";
import type { PermissionUnit } from "./permission_unit.ts";

/** Places in a text that are tried, at most; with more the answer is that it may hold. */
const MOST_PLACES = 100;
/** So many characters behind the name of a program are looked at for its arguments. */
const ARGUMENTS_LENGTH = 1000;

/** Holds the command of a rule, if it has one, against a part of a request. */
export function matchCommand(rule: PermissionRule, unit: PermissionUnit): Match {
  const { command: pattern, action } = rule;
  const { commands, unclear } = unit;
  if (pattern === undefined) return "yes";
  if (commands === undefined) {
    return unclear === undefined || action === "allow" ? "no" : { maybe: unclear };
  }
  if (action === "allow" && unclear !== undefined) return "no";
  if (rule.literal) return commands.literal === pattern ? "yes" : "no";
  if (action === "allow") {
    return commands.exact.some((text) => matchCommandGlob(pattern, text)) ? "yes" : "no";
  }
  if (commands.readings.some((text) => matchCommandGlob(pattern, text))) return "yes";
  if (unclear !== undefined) return { maybe: unclear };
  const [name = ""] = pattern.split(/\s/);
  const sameName = commands.readings.some((text) => matchGlob(name, text.split(" ", 1)[0] ?? ""));
  if (commands.dynamic && sameName) return { maybe: "the shell computes a part of it" };
  const folded = pattern.toLowerCase();
  if (commands.readings.some((text) => matchCommandGlob(folded, text.toLowerCase()))) {
    return { maybe: "some systems find programs in any case" };
  }
  if (commands.programs.some((words) => matchesByOptions(pattern, words))) {
    return { maybe: "its options may say the same" };
  }
  return mayBegin(folded, commands.hidden.toLowerCase())
    ? { maybe: "it may run what its arguments say" }
    : "no";
}

/** A trailing ` *` takes any arguments, or none. */
function matchCommandGlob(pattern: string, text: string): boolean {
  return matchGlob(pattern, text) ||
    (pattern.endsWith(" *") && matchGlob(pattern.slice(0, -2), text));
}

/**
 * Whether a pattern matches when options stand anywhere, together or apart, in short or at length:
 * `rm x -f -r` for `rm -rf *`, `git -C x push` for `git push`.
 */
function matchesByOptions(pattern: string, words: readonly string[]): boolean {
  const [name = "", ...wanted] = pattern.split(/\s+/).filter((word) => word !== "*");
  const [program = "", ...args] = words;
  if (wanted.length === 0 || !matchGlob(name, program)) return false;
  let at = 0;
  for (const glob of wanted.filter((word) => !isOption(word))) {
    // Options in between, and what may be their values.
    while (at < args.length && !matchGlob(glob, args[at] ?? "")) {
      if (!isOption(args[at]) && !isOption(args[at - 1])) return false;
      at++;
    }
    if (at++ >= args.length) return false;
  }
  return wanted.filter(isOption).every((option) => hasOption(option, args.filter(isOption)));
}

/** Whether options say what one of a pattern does, as far as its letters tell. */
function hasOption(wanted: string, options: readonly string[]): boolean {
  if (options.some((option) => matchGlob(wanted, option))) return true;
  const long = options.flatMap((option) => /^--([\w-]+)/.exec(option)?.[1] ?? []);
  const letters = options.flatMap((option) => /^-(\w+)/.exec(option)?.[1]?.toLowerCase() ?? [])
    .join("");
  const [, name] = /^--([\w-]+)/.exec(wanted) ?? [];
  if (name !== undefined) {
    return long.some((other) => name.startsWith(other)) ||
      letters.includes(name.slice(0, 1).toLowerCase());
  }
  const initials = letters + long.map((other) => other.slice(0, 1).toLowerCase()).join("");
  const own = /^-(\w+)\*?$/.exec(wanted)?.[1]?.toLowerCase();
  return own !== undefined && [...own].every((letter) => initials.includes(letter));
}

function isOption(word: string | undefined): boolean {
  return word?.startsWith("-") ?? false;
}

/** Whether a command that the pattern matches may begin somewhere in a text. */
function mayBegin(pattern: string, text: string): boolean {
  const [name = "", ...args] = pattern.split(/\s+/);
  // What begins with a star would have matched the whole text already.
  if (text === "" || name.startsWith("*")) return false;
  const program = name.slice(name.lastIndexOf("/") + 1);
  const whole = [program, ...args].join(" ");
  let places = 0;
  for (const plain of new Set([text, undressed(text)])) {
    for (const { 0: word, index } of plain.matchAll(/[\w.+@%~*?[\]-]+/g)) {
      // The value of an option may stand right behind its letter.
      const starts = /^-[a-z]./.test(word) ? [0, 2] : [0];
      for (const start of starts) {
        const own = word.slice(start);
        if (!isName(program, own)) continue;
        if (args.length === 0 || ++places > MOST_PLACES) return true;
        const rest = plain.slice(index + word.length, index + word.length + ARGUMENTS_LENGTH);
        if (begins(whole, [program, ...rest.split(SPACE).filter((one) => one !== "")])) return true;
      }
    }
  }
  return false;
}

/** What may stand between the words of a command in a text of another language. */
const SPACE = /[\s"'`,()[\]{};|&<>]+/;

function begins(pattern: string, words: readonly string[]): boolean {
  const beginning = pattern.replace(/[ *]+$/, "");
  return matchGlob(`${beginning}*`, words.join(" ")) || matchesByOptions(pattern, words);
}

/** Whether a word is the name of a program, or may be with what is computed in it. */
function isName(program: string, word: string): boolean {
  if (matchGlob(program, word)) return true;
  return /[*?[]/.test(word) && /\w/.test(word) && mayMatchName(program, word);
}

/** A text as another shell may take it: without quotes, and a star for what is computed. */
function undressed(text: string): string {
  return text
    .replace(/\\(.)/gs, "$1")
    .replace(/["']/g, "")
    .replace(/`[^`]*`|\$\([^()]*\)|\$\{[^{}]*\}|\$(?:\w+|[@*#?$!-])|\{[^{}\s]*\}/g, "*");
}
