/**
 * What is known of programs that permission rules meet: which ones run nothing that they are given,
 * which ones only read, and which ones do nothing worth a rule.
 *
 * @module
 */

import type { ShellWord } from "./shell_token.ts";
import { baseName, innermost } from "./shell_wrappers.ts";
import { wordSet } from "./word_set.ts";

/** Programs that only read, whatever their arguments say; `find` and `rg` without {@link RUNS}. */
const READERS: ReadonlySet<string> = wordSet(
  `: [ [[ basename cat cd cksum cmp comm cut dirname df diff du echo egrep false fgrep find grep head ls
  md5sum nl pgrep pwd readlink realpath rev rg seq sha256sum stat tac tail test tr true uname wc which
  whoami`,
);

/** Programs that take their arguments for text or for files, and never for something to run. */
const PLAIN: ReadonlySet<string> = new Set([
  ...READERS,
  ...wordSet(
    `break chgrp chmod chown continue cp date exit file kill ln mkdir mv paste printf rm rmdir sleep sort tee
    touch uniq wait`,
  ),
]);

/** The same of git, but for other parts of it. */
const PLAIN_GIT: ReadonlySet<string> = wordSet(
  `add blame branch checkout commit diff init log ls-files merge mv reset restore rev-parse rm show stash
  status switch tag`,
);

/** The same of programs that do many things: these of them, without options, which are too many to know. */
const PLAIN_PARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ["apt", "install remove search show"],
    ["apt-get", "install remove"],
    ["brew", "info install search uninstall"],
    ["cargo", "add build check clippy fmt remove test"],
    ["deno", "add check fmt lint task test"],
    ["go", "build get test vet"],
    ["npm", "ci i install run test uninstall"],
    ["pip", "install show uninstall"],
    ["pnpm", "add i install remove run test"],
    ["yarn", "add install remove run test"],
  ].map(([name = "", parts = ""]) => [name, wordSet(parts)]),
);

/** Options by which otherwise plain programs run others, and what they may be shortened to. */
const RUNS =
  /^--?(?:exec|ok|pre|execdir|okdir|hostname-bin|com|co(?:=|$)|ext|upload-pack|open-files-in-pager)/;

/** Options of readers that write. */
const WRITES = /^-(?:delete$|fls|fprint|-output)/;

/** Programs whose arguments are never opened as files. */
const FILELESS: ReadonlySet<string> = wordSet(
  ": [ [[ basename break continue date dirname echo exit export false kill printf pwd seq set sleep test true",
);

/** Programs that say something to whoever asked, and do nothing. */
const SPEAKERS: ReadonlySet<string> = wordSet(
  ": [[ break continue echo exit false printf pwd sleep true",
);

/** Programs that pass on what they read: letters of options, of those with a value, and operands. */
const FILTERS: ReadonlyMap<string, readonly [flags: string, values: string, operands: number]> =
  new Map([
    ["cat", ["AbeEnstTuv", "", 0]],
    ["cut", ["sz", "bcdf", 0]],
    ["egrep", ["acFhinoqsvwx", "ABCm", 1]],
    ["fgrep", ["achinoqsvwx", "ABCm", 1]],
    ["grep", ["acEFhinoPqsvwx", "ABCm", 1]],
    ["head", ["qv0123456789", "cn", 0]],
    ["sort", ["bdfghinruVz", "kt", 0]],
    ["tail", ["qv0123456789", "cn", 0]],
    ["tr", ["cdst", "", 2]],
    ["uniq", ["cdiuz", "fsw", 0]],
    ["wc", ["clmwL", "", 0]],
  ]);

/** True when no argument of a command can be something that is run, as far as is known of it. */
export function isPlain(words: readonly string[]): boolean {
  const [name = "", part = "", ...rest] = innermost(words);
  const args = [part, ...rest];
  const program = name.replace(/^\/(?:usr\/(?:local\/)?)?bin\//, "");
  if (program === "git") return PLAIN_GIT.has(part) && !rest.some((word) => RUNS.test(word));
  if (PLAIN_PARTS.get(program)?.has(part)) return !rest.some((word) => word.startsWith("-"));
  if (program === "printf" && part.startsWith("-v")) return false;
  return PLAIN.has(program) && !args.some((word) => RUNS.test(word));
}

/** True when a command surely does nothing but read, or change to a directory. */
export function onlyReads(words: readonly string[]): boolean {
  const [name = "", ...rest] = words;
  return READERS.has(name) && !rest.some((word) => RUNS.test(word) || WRITES.test(word));
}

/** True when no argument of a command can be a file that it opens. */
export function opensNoFiles(words: readonly string[]): boolean {
  return FILELESS.has(baseName(innermost(words)[0] ?? ""));
}

/** True when a command takes what it reads for its arguments. */
export function readsArguments(words: readonly string[]): boolean {
  return words.some((word) => baseName(word) === "xargs");
}

/** True when a command but says or tests something, or sets how a shell takes errors. */
export function onlySpeaks(words: readonly string[], read: readonly ShellWord[]): boolean {
  const [name = "", ...args] = words;
  if (name === "[" || name === "test") return onlyTests(name === "[" ? read.slice(0, -1) : read);
  if (name === "set") return /^(?: -(?:[eu]*o pipefail|[eu]+))+$/.test(` ${args.join(" ")}`);
  if (name === "printf" && (read[0]?.expands !== undefined || args[0]?.startsWith("-"))) {
    return false;
  }
  return SPEAKERS.has(name);
}

/** Tests that are what they look like: some compute, and an operator may come from a variable. */
function onlyTests(args: readonly ShellWord[]): boolean {
  const [first = "", second = ""] = args.map(({ text }) => text);
  const whole = args.every(({ text, splits }) => splits !== true || /^\$[?#]$/.test(text));
  if (args.length === 2) return whole && /^-[defhLnrswxz]$/.test(first);
  return args.length === 3 && whole && /^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge))$/.test(second);
}

/** True when a command but passes on a part of what it reads from others, and opens no file. */
export function onlyFilters([name = "", ...args]: readonly string[]): boolean {
  const [flags, values, operands] = FILTERS.get(name) ?? [undefined, "", 0];
  if (flags === undefined) return false;
  let own = 0;
  for (let at = 0; at < args.length; at++) {
    const letters = [...args[at] ?? ""];
    if (letters[0] !== "-" || letters.length === 1) own++;
    else {
      const value = letters.findIndex((letter, index) => index > 0 && values.includes(letter));
      const plain = value < 0 ? letters.slice(1) : letters.slice(1, value);
      if (!plain.every((letter) => flags.includes(letter))) return false;
      if (value === letters.length - 1) at++;
    }
  }
  return own <= operands;
}
