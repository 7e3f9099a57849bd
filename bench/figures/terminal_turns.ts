/**
 * A long session in the terminal: what a chunk costs early and late.
 *
 * @module
 */

import type { Figure } from "../figure.ts";
import { STREAM_AGENT } from "../programs.ts";
import { median } from "../statistics.ts";
import { TerminalSession, type TurnCost } from "../terminal.ts";

const BOUND = 1.2;
const CHUNKS = 500;
/** Chunks a second: a turn then has a number of frames that is much the same each time. */
const RATE = 5_000;

/** The figure. */
export const terminalTurns: Figure = {
  name: "terminal-turns",
  shows: "300 turns of 500 chunks in the terminal: the cost of a chunk early and late",
  async measure({ quick }) {
    const turns = quick ? 30 : 300;
    const [early, late] = quick ? [[5, 10], [26, 30]] as const : [[30, 49], [281, 300]] as const;
    await using session = await TerminalSession.open(STREAM_AGENT);
    const costs: TurnCost[] = [];
    for (let turn = 1; turn <= turns; turn++) {
      costs.push(await session.turn(`paced ${CHUNKS} ${RATE} ${turn}`, `turn-${turn}-ended`));
    }
    const within = ([first, last]: readonly [number, number], of: (cost: TurnCost) => number) =>
      median(costs.slice(first - 1, last).map(of)) / CHUNKS;
    const row = (what: string, unit: "B" | "µs", of: (cost: TurnCost) => number) => {
      const [before, after] = [within(early, of), within(late, of)];
      return {
        what: `${what} per chunk, turns ${late.join("–")}`,
        unit,
        ours: after,
        beside: { name: `turns ${early.join("–")}`, value: before },
        ratio: after / before,
        bound: BOUND,
      };
    };
    return [
      row("bytes written", "B", ({ bytes }) => bytes),
      row("processor time", "µs", ({ cpuMs }) => cpuMs * 1_000),
      {
        what: `memory after ${turns} turns`,
        unit: "MB",
        ours: session.usage().memoryBytes / 1e6,
      },
    ];
  },
};
