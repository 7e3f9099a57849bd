/**
 * What grows with the size of things, and how: each at three sizes, ten times apart.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure, Measuring, Row } from "../figure.ts";
import { growthRows } from "../growth_rows.ts";
import { runProgram } from "../processes.ts";
import { probe } from "../programs.ts";
import { interleave } from "../statistics.ts";

/** What grows, by the kind of work of bench/probes/growth.ts. */
interface Growth {
  readonly kind: string;
  /** What there is ten times more of. */
  readonly of: string;
  /** The middle size. */
  readonly middle: number;
  /** Files that it needs at a size. */
  readonly files?: (size: number) => Readonly<Record<string, string>>;
}

const ECHO = `export const description = "Gives its text back.";
export const handler = ({ text }: { text: string }) => text;
`;

const GROWTHS: readonly Growth[] = [
  { kind: "chunks", of: "chunks of a turn", middle: 30_000 },
  { kind: "turns", of: "turns of a session", middle: 1_000 },
  { kind: "sessions", of: "sessions of a connection", middle: 100 },
  { kind: "tools", of: "tool files, one call", middle: 10, files: (size) => tools(size) },
  { kind: "result", of: "bytes of a tool's result", middle: 100_000, files: () => tools(1) },
  { kind: "files", of: "files that @ proposes", middle: 1_000, files: emptyFiles },
];

/** The figure. */
export const growth: Figure = {
  name: "growth",
  shows: "what ten times as much of everything costs",
  async measure(how) {
    const rows: Row[] = [];
    for (const one of GROWTHS) rows.push(...await measureGrowth(one, how));
    return rows;
  },
};

async function measureGrowth(
  { kind, of, middle, files = () => ({}) }: Growth,
  { runs, quick }: Measuring,
): Promise<readonly Row[]> {
  const sizes = (quick ? [0.1, 1] : [0.1, 1, 10]).map((factor) => middle * factor);
  await using sandbox = await openSandbox(Object.assign({}, ...sizes.map(files)));
  const results = await interleave(
    runs,
    Object.fromEntries(sizes.map((size) => [size, async () => {
      const { stdout } = await runProgram([...probe("growth.ts"), kind, `${size}`], {
        cwd: sandbox.project,
        env: sandbox.env,
      });
      return Number(stdout);
    }])),
  );
  return growthRows((size) => `${size} ${of}`, sizes, results);
}

function tools(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`tools_${count}/tool_${at}.ts`, ECHO]),
  );
}

function emptyFiles(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`files_${count}/${at % 50}/file_${at}.ts`, ""]),
  );
}
