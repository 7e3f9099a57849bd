/**
 * What a line of input means: a prompt, a command of ours, or a mistake.
 *
 * @module
 */

import { nearestWord } from "../config/nearest.ts";

/** The meaning of a line. */
export type Input =
  | { readonly type: "empty" }
  /** Goes to the agent as it stands. */
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "command"; readonly name: string; readonly args: string }
  /** Looks like a command and is none; `suggestion` is the nearest known one. */
  | { readonly type: "unknown"; readonly name: string; readonly suggestion?: string };

/**
 * Reads a line of input.
 *
 * Text is a command only when it begins with one slash and its first word has no second one, so that
 * paths stay text. Our commands win over the agent's; `//name` reaches an agent's command of the
 * same name. A space before the slash makes anything text.
 *
 * @param own Names of our commands, without the slash.
 * @param agent Names of the agent's commands, without the slash; they may contain spaces.
 */
export function parseInput(
  text: string,
  own: readonly string[],
  agent: readonly string[],
): Input {
  if (text.trim() === "") return { type: "empty" };
  if (!text.startsWith("/")) return { type: "prompt", text };
  if (text.startsWith("//") && startsWithOneOf(text.slice(2), agent)) {
    return { type: "prompt", text: text.slice(1) };
  }
  const word = /^\/\S*/u.exec(text)?.[0] ?? "/";
  if (word.indexOf("/", 1) !== -1) return { type: "prompt", text };
  const name = word.slice(1);
  if (own.includes(name)) {
    return { type: "command", name, args: text.slice(word.length).trim() };
  }
  if (startsWithOneOf(text.slice(1), agent)) return { type: "prompt", text };
  const suggestion = nearest(name, [...own, ...agent]);
  return { type: "unknown", name, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** Whether the text is `//name …`, which reaches a command of the agent if it has one of that name. */
export function namesAgentCommand(text: string): boolean {
  return /^\/\/[^\s/]+(?:\s|$)/u.test(text);
}

/** A command for the shell: its line, and whether the agent is to see it. */
export interface ShellInput {
  readonly command: string;
  readonly shared: boolean;
}

/** Reads `!command` (shared with the agent) and `!!command` (not shared); anything else is none. */
export function parseShellInput(text: string): ShellInput | undefined {
  const [, marks, command = ""] = /^(!!?)\s*([^]*)$/u.exec(text.trimEnd()) ?? [];
  return marks === undefined ? undefined : { command, shared: marks === "!" };
}

function startsWithOneOf(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    name !== "" && text.startsWith(name) && /^(\s|$)/u.test(text.slice(name.length))
  );
}

function nearest(name: string, names: readonly string[]): string | undefined {
  if (name === "") return undefined;
  const start = name.toLowerCase();
  return nearestWord(name, names) ??
    names.find((candidate) => candidate.toLowerCase().startsWith(start));
}
