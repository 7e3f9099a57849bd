/**
 * The commands and files in the arguments of a tool call, which every agent names in its own way.
 *
 * Everything that could be the command counts, and so does everything that could be a path: more of
 * them make a rule that allows harder to meet, and one that denies easier.
 *
 * @module
 */

import { asArray, asString, isObject, type JsonObject } from "../base/guards.ts";
import { quoteWord } from "./shell_commands.ts";
import { wordSet } from "./word_set.ts";

/** What the arguments of a call name. */
export interface RawInput {
  /** Lines for a shell, each of which may be what is run. */
  readonly lines: readonly string[];
  /** Directories that it may be run in, as they were given. */
  readonly directories: readonly string[];
  /** Files, as they were given. */
  readonly paths: readonly string[];
  /** Text that may be a file. */
  readonly mentions: readonly string[];
  /** Names of arguments that may hold something to run for all that is known. */
  readonly unknown: readonly string[];
  /** True when there is more than was looked at. */
  readonly cut: boolean;
}

const COMMANDS = wordSet(
  "bash bashcommand cmd cmdline command commandline commands exec executable program run script shellcommand shellscript",
);
const ARGUMENTS = wordSet("args argv arguments parameters params");
/** Arguments that begin with the program. */
const WHOLE = wordSet("argv");
const VARIABLES = wordSet("env environment environmentvariables variables");
const DIRECTORIES = wordSet(
  "basedir currentdirectory cwd dir directory dirpath workdir workingdir workingdirectory",
);
/** Arguments that say something about a command and are no part of it. */
const NOTES = wordSet(
  `comment description explanation id intent justification kind name priority purpose reason
  sandboxpermissions securityrisk sessionid summary thought timeout timeoutms title tool toolcallid
  toolname type`,
);
/** Text that is written or looked for. */
const TEXTS = wordSet(
  `code content diff filetext insertline message newsource newstr newstring newtext oldstr oldstring oldtext
  patch prompt query text thought`,
);
/** Ends of the names of arguments that hold paths. */
const PATH_ENDS = wordSet(
  "destination dir directory file filename filepath files folder notebook path paths root source target uri",
);

/** Values that are looked at, at most, and how deep they lie. */
const MOST = 1000;
const DEEPEST = 4;

/** Reads the raw input of a call. Never throws. */
export function readRawInput(input: unknown): RawInput {
  const found = new Finder();
  found.take(input);
  return found;
}

class Finder implements RawInput {
  readonly lines: string[] = [];
  readonly directories: string[] = [];
  readonly paths: string[] = [];
  readonly mentions: string[] = [];
  readonly unknown: string[] = [];
  cut = false;
  #left = MOST;

  /** Takes what stands at the top: a line, the words of a command, or named arguments. */
  take(input: unknown): void {
    if (isObject(input)) return this.#takeObject(input, 0);
    this.lines.push(...commandLines(input));
    if (this.lines.length === 0 && hasText(input)) this.unknown.push("input");
  }

  #takeObject(input: JsonObject, depth: number): void {
    const entries = Object.entries(input);
    const of = (names: ReadonlySet<string>) =>
      entries.flatMap(([key, value]) => names.has(plainName(key)) ? [value] : []);
    const programs = of(COMMANDS).flatMap(commandLines);
    const given = of(ARGUMENTS).flatMap(commandLines);
    const variables = of(VARIABLES).flatMap(assignments);
    const lines = [
      ...programs.flatMap((program) =>
        given.length === 0 ? [program] : given.map((text) => `${program} ${text}`)
      ),
      ...of(WHOLE).flatMap(commandLines),
    ];
    if (lines.length === 0 && given.length > 0) this.unknown.push("args");
    this.lines.push(...lines.map((line) => [...variables, line].join(" ")));
    for (const [key, value] of entries) this.#takeValue(key, value, depth);
  }

  #takeValue(key: string, value: unknown, depth: number): void {
    if (--this.#left < 0 || depth > DEEPEST) return this.#leaveOut(key, value);
    const name = plainName(key);
    if (VARIABLES.has(name)) return;
    if (isObject(value)) return this.#takeObject(value, depth + 1);
    if (Array.isArray(value)) {
      for (const item of value) {
        if (--this.#left < 0) return this.#leaveOut(key, item);
        if (isObject(item)) this.#takeObject(item, depth + 1);
        else if (Array.isArray(item)) this.#takeValue(key, item, depth + 1);
        else this.#takeText(key, name, item);
      }
      return;
    }
    this.#takeText(key, name, value);
  }

  #leaveOut(key: string, value: unknown): void {
    if (!hasText(value)) return;
    this.unknown.push(key);
    this.cut = true;
  }

  #takeText(key: string, name: string, value: unknown): void {
    const text = asString(value);
    if (text === undefined || text === "") return;
    if (DIRECTORIES.has(name)) this.directories.push(text);
    const isPath = isPathName(key) && !TEXTS.has(name);
    if (isPath) this.paths.push(...pathOf(text));
    else if (!TEXTS.has(name) && !COMMANDS.has(name) && text.length < 4096) {
      this.mentions.push(...pathOf(text));
    }
    const read = [COMMANDS, ARGUMENTS, DIRECTORIES, NOTES].some((names) => names.has(name));
    if (!read && !isPath) this.unknown.push(key);
  }
}

/** The line that a value stands for, if any: text as it is, words as a shell would take them. */
function commandLines(value: unknown): readonly string[] {
  const text = asString(value);
  if (text !== undefined) return text.trim() === "" ? [] : [text];
  const items = asArray(value);
  const words = items.flatMap((word) => asString(word) ?? []);
  if (words.length === 0 || words.length < items.length) return [];
  return [words.map(quoteWord).join(" ")];
}

/** Variables as they would stand in front of a command. */
function assignments(value: unknown): readonly string[] {
  const pairs = isObject(value)
    ? Object.entries(value)
    : asArray(value).flatMap((item) => isObject(item) ? [[item.name, item.value]] : []);
  return pairs.flatMap(([name, text]) =>
    text === undefined || text === null ? [] : [`${name}=${quoteWord(String(text))}`]
  );
}

function isPathName(key: string): boolean {
  const words = key.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z0-9]+/);
  return PATH_ENDS.has(words.at(-1) ?? "") || PATH_ENDS.has(plainName(key));
}

/** Files by their path or their `file:` address; another address is none. */
function pathOf(text: string): readonly string[] {
  if (!/^file:/i.test(text)) return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? [] : [text];
  try {
    return [decodeURIComponent(new URL(text).pathname)];
  } catch {
    return [text];
  }
}

function hasText(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (typeof value !== "object" || value === null) return false;
  return Object.keys(value).length > 0;
}

function plainName(key: string): string {
  return key.toLowerCase().replace(/[^a-z0-9]/g, "");
}
