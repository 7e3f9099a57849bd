/**
 * What is written, pasted and shown in the terminal, each at three sizes.
 *
 * @module
 */

import type { Figure, Row } from "../figure.ts";
import { growthRows } from "../growth_rows.ts";
import { STREAM_AGENT } from "../programs.ts";
import { interleave } from "../statistics.ts";
import { TerminalSession } from "../terminal.ts";

const LINE = "a line of text that somebody has copied from somewhere\n";

/** What is done in an open session, at a size in bytes. */
interface Act {
  readonly what: string;
  /** The middle size. */
  readonly middle: number;
  readonly run: (session: TerminalSession, bytes: number) => Promise<void>;
}

const ACTS: readonly Act[] = [
  { what: "bytes pasted", middle: 100_000, run: paste },
  {
    what: "bytes pasted and sent",
    middle: 100_000,
    async run(session, bytes) {
      await session.type("take 1 ");
      await paste(session, bytes);
      await session.turn("", "turn-1-ended");
    },
  },
  { what: "bytes of a tool's result", middle: 100_000, run: turn("result") },
  { what: "bytes of Markdown in a turn", middle: 200_000, run: turn("markdown", " 0") },
];

/** The figure. */
export const growthTerminal: Figure = {
  name: "growth-terminal",
  shows: "processor time of pastes, results and answers in the terminal, at three sizes",
  async measure({ runs, quick }) {
    const rows: Row[] = [];
    for (const { what, middle, run } of ACTS) {
      const sizes = (quick ? [0.01, 0.1] : [0.1, 1, 10]).map((factor) => middle * factor);
      const measured = sizes.map((size) => [size, () => cpuOf(run, size)] as const);
      const taken = await interleave(runs, Object.fromEntries(measured));
      rows.push(...growthRows((size) => `${size} ${what}: processor time`, sizes, taken));
    }
    return rows;
  },
};

async function cpuOf(run: Act["run"], bytes: number): Promise<number> {
  await using session = await TerminalSession.open(STREAM_AGENT);
  const before = session.usage().cpuMs;
  await run(session, bytes);
  return session.usage().cpuMs - before;
}

async function paste(session: TerminalSession, bytes: number): Promise<void> {
  const text = LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);
  await session.type(`\x1b[200~${text}\x1b[201~`);
  await session.waitFor("[paste #1");
}

function turn(phrase: string, more = ""): Act["run"] {
  return async (session, bytes) =>
    void await session.turn(`${phrase} ${bytes}${more} 1`, "turn-1-ended");
}
