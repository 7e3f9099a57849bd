/**
 * `deno run -A tests/replay/play.ts DIRECTORY`: plays every trace of a directory and says how many
 * it played and what went wrong. Ends with status 1 when anything did.
 *
 * @module
 */

import { messageOf } from "../../src/base/errors.ts";
import { playTrace } from "./play_trace.ts";

/** Traces that are played at the same time. */
const TOGETHER = 3;

/** Longest fault that is printed, in characters. */
const MAX_FAULT = 600;

const [directory = "", ...only] = Deno.args;
const names = [...Deno.readDirSync(directory)].map(({ name }) => name)
  .filter((name) => name.endsWith(".ndjson"))
  .filter((name) => only.length === 0 || only.some((part) => name.includes(part)))
  .sort();

const faultsOf = new Map<string, readonly string[]>();
const loose: string[] = [];
globalThis.addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  loose.push(`nobody handled: ${messageOf(event.reason)}`);
});

const waiting = names.values();
await Promise.all(Array.from({ length: TOGETHER }, async () => {
  for (const name of waiting) {
    const { faults } = await playTrace(await Deno.readTextFile(`${directory}/${name}`));
    faultsOf.set(name, faults);
  }
}));

for (const name of names) {
  for (const fault of faultsOf.get(name) ?? []) say(`${name}: ${fault}`);
}
for (const fault of loose) say(fault);
const failed = names.filter((name) => (faultsOf.get(name) ?? []).length > 0).length;
say(`${names.length} traces played, ${failed} failed`);
Deno.exitCode = failed > 0 || loose.length > 0 || names.length === 0 ? 1 : 0;

function say(line: string): void {
  const cut = line.length > MAX_FAULT ? `${line.slice(0, MAX_FAULT)}…` : line;
  Deno.stdout.writeSync(new TextEncoder().encode(`${cut}\n`));
}
