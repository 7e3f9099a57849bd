/**
 * Seeds of chaos, several at once.
 *
 * @module
 */

import { runPromptsSeed, type SeedResult } from "./run_prompts.ts";
import { runTerminalSeed } from "./run_terminal.ts";

/** What the agent is set upon: a run with `-p`, plain lines in a terminal, or the whole terminal. */
export const FRONTS = ["prompts", "lines", "tui"] as const;

/** One of {@link FRONTS}. */
export type ChaosFront = typeof FRONTS[number];

/** One seed and what it came to. */
export interface SeedOutcome extends SeedResult {
  readonly seed: number;
  readonly front: ChaosFront;
  readonly ms: number;
}

/** The front end that a seed is for: each gets a third of them. */
export function frontOf(seed: number): ChaosFront {
  return FRONTS[seed % FRONTS.length] ?? "prompts";
}

/** Runs one seed. */
export async function runSeed(seed: number, front: ChaosFront): Promise<SeedOutcome> {
  const begun = performance.now();
  const result = front === "prompts"
    ? await runPromptsSeed(seed)
    : await runTerminalSeed(seed, front);
  return { seed, front, ms: performance.now() - begun, ...result };
}

/** Runs seeds, `jobs` of them at once, and tells each outcome as it comes. */
export async function runSeeds(
  seeds: readonly (readonly [seed: number, front: ChaosFront])[],
  jobs: number,
  tell: (outcome: SeedOutcome) => void,
): Promise<void> {
  const waiting = seeds.values();
  const work = async () => {
    for (const [seed, front] of waiting) tell(await runSeed(seed, front));
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** How to see a failing seed again. */
export function replayCommand({ seed, front }: SeedOutcome): string {
  return `deno task soak --seed ${seed} --front ${front}`;
}

/** A failing seed in words. */
export function describeFaults(outcome: SeedOutcome): string {
  const { seed, front, faults } = outcome;
  const lines = faults.map((fault) => `  ${fault.replaceAll("\n", "\n  ")}`);
  return [`seed ${seed} (${front}):`, ...lines, `  again: ${replayCommand(outcome)}`].join("\n");
}
