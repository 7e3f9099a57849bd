/**
 * `deno task soak`: many seeds of chaos against the real program.
 *
 * `--seeds N` (default 500) from `--from N` (default 1), `--jobs N` at once (default 3). `--seed N`
 * runs one seed, `--front prompts|lines|tui` chooses what it is set upon. Ends with status 1 when a
 * seed has failed.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { type ChaosFront, describeFaults, frontOf, FRONTS, runSeeds } from "./seeds.ts";

const { seed, seeds, from, jobs, front } = parseArgs(Deno.args, {
  string: ["seed", "seeds", "from", "jobs", "front"],
  default: { seeds: "500", from: "1", jobs: "3" },
});
const first = Number(seed ?? from);
const chosen = FRONTS.find((one) => one === front);
const all = Array.from({ length: seed === undefined ? Number(seeds) : 1 }, (_, index) => {
  return [first + index, chosen ?? frontOf(first + index)] as const;
});

const begun = performance.now();
let done = 0;
const failed: string[] = [];
const peaks: Partial<Record<ChaosFront, number>> = {};
await runSeeds(all, Number(jobs), (outcome) => {
  done++;
  peaks[outcome.front] = Math.max(peaks[outcome.front] ?? 0, outcome.peak);
  if (outcome.faults.length > 0) {
    failed.push(describeFaults(outcome));
    say(describeFaults(outcome));
  } else if (done % 25 === 0) say(`${done} of ${all.length} seeds`);
});

const seconds = Math.round((performance.now() - begun) / 1_000);
const memory = Object.entries(peaks).map(([name, peak]) => `${name} ${Math.round(peak / 2 ** 20)}`);
say(
  `${done - failed.length} of ${done} seeds held in ${seconds} s; ` +
    `most memory in MiB: ${memory.join(", ")}`,
);
Deno.exitCode = failed.length === 0 ? 0 : 1;

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
