/**
 * A long answer through `-p`: the time it takes and the memory it needs.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure, Measuring, Row } from "../figure.ts";
import { findPeer, peerPrint } from "../peer.ts";
import { runProgram, type Usage } from "../processes.ts";
import { EMBEDDED_AGENT, floor, jsonLines, print, STREAM_AGENT } from "../programs.ts";
import { compare, interleave } from "../statistics.ts";

const TIME_BOUND = 1.15;
/** Shorter answers are mostly start, which is a figure of its own. */
const TIME_BOUND_FROM = 200_000;
const MEMORY_BOUND = 1.3;
const MEGABYTE = 1e6;

const SIZES = [20_000, 200_000, 600_000];
const QUICK_SIZES = [2_000, 20_000];

/** The figure. */
export const printChunks: Figure = {
  name: "print-chunks",
  shows: "-p with a long answer in chunks of 10 bytes: time and memory",
  async measure(how) {
    const rows: Row[] = [];
    for (const count of how.quick ? QUICK_SIZES : SIZES) {
      rows.push(
        ...await measureChunks(STREAM_AGENT, `chunks ${count}`, "a fast agent", count, how),
      );
    }
    const count = how.quick ? 2_000 : 200_000;
    rows.push(
      ...await measureChunks(EMBEDDED_AGENT, `long ${count}`, "mm-repl agent", count, how),
    );
    return rows;
  },
};

async function measureChunks(
  agent: readonly string[],
  prompt: string,
  agentName: string,
  count: number,
  { runs }: Measuring,
): Promise<readonly Row[]> {
  await using sandbox = await openSandbox();
  const options = { cwd: sandbox.project, env: sandbox.env, watch: true };
  const run = (command: readonly string[]) => () => runProgram(command, options);
  const path = await findPeer();
  const { ours, sdk, json, acpx = [] } = await interleave<"ours" | "sdk" | "json" | "acpx", Usage>(
    runs,
    {
      ours: run(print(agent, prompt)),
      sdk: run(floor(agent, prompt)),
      json: run(jsonLines(agent, prompt)),
      ...(path === undefined ? {} : { acpx: run(peerPrint(path, agent, prompt)) }),
    },
  );
  const what = `-p, ${count.toLocaleString("en")} chunks of ${agentName}`;
  const time = (name: string, usages: readonly Usage[], bound?: number) =>
    compare({
      what: `${what}: time`,
      unit: "ms",
      ours: ours.map(({ ms }) => ms),
      beside: { name, values: usages.map(({ ms }) => ms) },
      bound,
    });
  const memory = (name: string, usages: readonly Usage[], bound?: number) =>
    compare({
      what: `${what}: peak memory`,
      unit: "MB",
      ours: ours.map(({ peakBytes }) => peakBytes / MEGABYTE),
      beside: { name, values: usages.map(({ peakBytes }) => peakBytes / MEGABYTE) },
      bound,
    });
  return [
    time("SDK client", sdk, count >= TIME_BOUND_FROM ? TIME_BOUND : undefined),
    memory("SDK client", sdk, MEMORY_BOUND),
    time("JSON.parse", json),
    ...(path === undefined ? [] : [time("acpx", acpx), memory("acpx", acpx)]),
  ];
}
