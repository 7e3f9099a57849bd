/**
 * Hostile agents against the real program. A seed that fails is printed with the command that runs
 * it again; `deno task soak` runs many more.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type ChaosFront, describeFaults, runSeeds } from "./seeds.ts";

/** Seeds of each kind; a terminal takes its time, most of it waiting. */
const SEEDS: readonly (readonly [ChaosFront, number])[] = [["tui", 12], ["lines", 14], [
  "prompts",
  34,
]];

/** Seeds that run at once. */
const JOBS = 6;

const seeds = SEEDS.flatMap(([front, count]) =>
  Array.from({ length: count }, (_, index) => [index + 1, front] as const)
);

Deno.test({
  name: `${seeds.length} hostile agents break nothing`,
  ignore: Deno.build.os !== "linux",
  async fn() {
    const failed: string[] = [];
    await runSeeds(seeds, JOBS, (outcome) => {
      if (outcome.faults.length > 0) failed.push(describeFaults(outcome));
    });
    assert.equal(failed.join("\n"), "");
  },
});
