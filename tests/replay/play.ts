/**
 * `deno run -A tests/replay/play.ts DIRECTORY [--terminal] [NAME…]`: plays every trace of a
 * directory (or those with a part of their name given) to the library, and with `--terminal` also to
 * the program in a pseudo-terminal, every start of an agent that a person can play. Says how many it
 * played and what went wrong; ends with status 1 when anything did.
 *
 * @module
 */

import { messageOf } from "../../src/base/errors.ts";
import { playTrace } from "./play_trace.ts";
import { playInTerminal } from "./terminal.ts";

/** Traces that are played at the same time. */
const TOGETHER = 2;

/** Longest fault that is printed, in characters. */
const MAX_FAULT = 2_000;

const inTerminal = Deno.args.includes("--terminal");
const [directory = ".", ...parts] = Deno.args.filter((arg) => arg !== "--terminal");
const names = [...Deno.readDirSync(directory)].map(({ name }) => name)
  .filter((name) => name.endsWith(".ndjson"))
  .filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)))
  .sort();

const failed = new Set<string>();
let shown = 0;
let starts = 0;
/** Why starts of agents were left out, with how many. */
const left = new Map<string, number>();

globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  fail("(any)", [`nobody handled: ${messageOf(event.reason)}`]);
});

const waiting = names.values();
await Promise.all(Array.from({ length: TOGETHER }, async () => {
  for (const name of waiting) await play(name);
}));

const count = inTerminal
  ? `${names.length} traces played, ${shown} of them in a terminal as well (${starts} starts)`
  : `${names.length} traces played`;
for (const [why, times] of left) say(`not in a terminal, ${times} times: ${why}`);
say(`${count}, ${failed.size} failed`);
Deno.exitCode = failed.size > 0 || names.length === 0 ? 1 : 0;

async function play(name: string): Promise<void> {
  const text = await Deno.readTextFile(`${directory}/${name}`);
  const played = await playTrace(text);
  fail(name, played.faults);
  if (!inTerminal) return;
  const seen = await playInTerminal(text, played);
  if (seen.starts > 0) shown++;
  starts += seen.starts;
  for (const why of seen.left) left.set(why, (left.get(why) ?? 0) + 1);
  fail(name, seen.faults.map((fault) => `in a terminal: ${fault}`));
}

function fail(name: string, faults: readonly string[]): void {
  if (faults.length > 0) failed.add(name);
  for (const fault of faults) {
    say(`${name}: ${fault.length > MAX_FAULT ? `${fault.slice(0, MAX_FAULT)}…` : fault}`);
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
