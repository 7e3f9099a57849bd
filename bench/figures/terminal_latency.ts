/**
 * How long a chunk takes from the agent's pipe to the terminal.
 *
 * @module
 */

import type { Figure } from "../figure.ts";
import { STREAM_AGENT } from "../programs.ts";
import { median, quantile } from "../statistics.ts";
import { TerminalSession } from "../terminal.ts";

/** Chunks a second. */
const RATE = 200;

/** The figure. */
export const terminalLatency: Figure = {
  name: "terminal-latency",
  shows: "from a chunk on the pipe to its text on the terminal, at 200 chunks a second",
  async measure({ quick, runs }) {
    const count = quick ? 100 : 600;
    const latencies: number[][] = [];
    for (let run = 0; run < runs; run++) {
      await using session = await TerminalSession.open(STREAM_AGENT);
      latencies.push(await latenciesOf(session, count));
    }
    const row = (what: string, share: number) => ({
      what: `chunk to screen: ${what}`,
      unit: "ms" as const,
      ours: median(latencies.map((run) => quantile(run, share))),
    });
    return [row("median", 0.5), row("p99", 0.99)];
  },
};

/** In milliseconds; a chunk is the time at which it was written, in microseconds. */
async function latenciesOf(session: TerminalSession, count: number): Promise<number[]> {
  const decoder = new TextDecoder();
  const seen = new Map<number, number>();
  let rest = "";
  session.onOutput((chunk) => {
    const now = performance.timeOrigin + performance.now();
    const text = rest + decoder.decode(chunk, { stream: true });
    for (const [stamp] of text.matchAll(/\b\d{16}\b/g)) {
      const at = Number(stamp);
      if (!seen.has(at)) seen.set(at, now - at / 1_000);
    }
    rest = text.slice(-15);
  });
  await session.turn(`stamps ${count} ${RATE} 1`, "turn-1-ended");
  return [...seen.values()];
}
