/**
 * The command lines of what is measured.
 *
 * @module
 */

import { ROOT } from "../tests/support/project.ts";
import { MAIN_COMMAND } from "../tests/support/run_main.ts";

const script = (path: string) => [Deno.execPath(), "run", "-A", `${ROOT}/bench/${path}`];

/** The embedded agent, without a pause between its chunks. */
export const EMBEDDED_AGENT: readonly string[] = [...MAIN_COMMAND, "agent", "--pause", "0"];

/** The agent that writes as fast as its client reads. */
export const STREAM_AGENT: readonly string[] = script("agents/stream_agent.ts");

/** This program with an agent and no tools. */
export function repl(agent: readonly string[], ...args: readonly string[]): readonly string[] {
  return [...MAIN_COMMAND, "--no-tools", "--agent", shellWords(agent), ...args];
}

/** This program with `-p`. */
export function print(agent: readonly string[], prompt: string): readonly string[] {
  return repl(agent, "--quiet", "-p", prompt);
}

/** This program with `-p` and the tools of the current directory, trusted. */
export function withTools(agent: readonly string[], prompt: string): readonly string[] {
  const flags = ["--trust-tools", "--discovery", "request", "--quiet"];
  return [...MAIN_COMMAND, ...flags, "--agent", shellWords(agent), "-p", prompt];
}

/** A program of bench/probes/. */
export function probe(name: string): readonly string[] {
  return script(`probes/${name}`);
}

/** The smallest client on the protocol's library; without a prompt it waits for one. */
export function floor(agent: readonly string[], prompt = ""): readonly string[] {
  return [...script("floor/sdk_client.ts"), prompt, ...agent];
}

/** Reading lines and parsing them, and nothing else. */
export function jsonLines(agent: readonly string[], prompt: string): readonly string[] {
  return [...script("floor/json_lines.ts"), prompt, ...agent];
}

/** Words as one command line. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}
