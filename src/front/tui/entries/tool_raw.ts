/**
 * Raw input and output of tool calls, whose shape is each agent's own.
 *
 * @module
 */

import { isObject } from "../../../base/guards.ts";
import { bounded } from "./bounded.ts";

/** The command line of a call that runs one: `command` as text or as a list of words. */
export function commandOf(rawInput: unknown): string | undefined {
  if (!isObject(rawInput)) return undefined;
  const command = rawInput.command ?? rawInput.cmd;
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || command.length === 0) return undefined;
  const words = command.filter((word) => typeof word === "string");
  // `sh -c …` and its kin: what they are given is the command.
  const script = words.length === 3 && /^-\w*c$/.test(words[1] ?? "") ? words[2] : undefined;
  return script ?? words.map(quoted).join(" ");
}

/** Each argument of a call: `name: value`, longer values over several lines. Unsanitised. */
export function inputLines(rawInput: unknown): readonly string[] {
  if (rawInput === undefined || rawInput === null) return [];
  if (typeof rawInput === "string") return rawInput.split("\n");
  if (!isObject(rawInput)) return json(rawInput);
  return Object.entries(rawInput).flatMap(([name, value]) => {
    const lines = typeof value === "string" ? value.split("\n") : json(value);
    if (lines.length === 1) return [`${name}: ${lines[0]}`];
    return [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}

/** What a call gave back, as text: the usual fields of shell results first. Unsanitised. */
export function rawOutputText(rawOutput: unknown, whole: boolean): string | undefined {
  if (rawOutput === undefined || rawOutput === null || rawOutput === "") return undefined;
  if (typeof rawOutput === "string") return bounded(rawOutput, whole);
  if (!isObject(rawOutput)) return bounded(json(rawOutput).join("\n"), whole);
  const named = [
    "stdout",
    "stderr",
    "output",
    "formatted_output",
    "aggregated_output",
    "error",
    "message",
  ]
    .map((name) => rawOutput[name])
    .filter((value): value is string => typeof value === "string" && value !== "");
  const text = named.length > 0 ? [...new Set(named)].join("\n") : json(rawOutput).join("\n");
  return bounded(text, whole);
}

function json(value: unknown): readonly string[] {
  return (JSON.stringify(value, null, 2) ?? "").split("\n");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
