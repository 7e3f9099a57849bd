/**
 * A paste into the prompt, at three sizes.
 *
 * @module
 */

import type { Figure, Row } from "../figure.ts";
import { STREAM_AGENT } from "../programs.ts";
import { interleave, median } from "../statistics.ts";
import { TerminalSession } from "../terminal.ts";

/** Ten times as much may take this much more than ten times as long. */
const BOUND = 1.3;
const LINE = "a line of text that somebody has copied from somewhere\n";

/** The figure. */
export const growthPaste: Figure = {
  name: "growth-paste",
  shows: "what a paste costs until it is shown, at three sizes",
  async measure({ runs, quick }) {
    const sizes = quick ? [1_000, 10_000] : [10_000, 100_000, 1_000_000];
    const results = await interleave(
      runs,
      Object.fromEntries(sizes.map((size) => [size, () => paste(size)])),
    );
    return sizes.slice(1).map((size): Row => {
      const [before, after] = [median(results[size / 10] ?? []), median(results[size] ?? [])];
      return {
        what: `${size.toLocaleString("en")} bytes pasted: processor time`,
        unit: "ms",
        ours: after,
        beside: { name: (size / 10).toLocaleString("en"), value: before },
        ratio: after / before / 10,
        bound: BOUND,
      };
    });
  },
};

async function paste(bytes: number): Promise<number> {
  const text = LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);
  await using session = await TerminalSession.open(STREAM_AGENT);
  const before = session.usage().cpuMs;
  await session.type(`\x1b[200~${text}\x1b[201~`);
  await session.waitFor("[paste #1");
  return session.usage().cpuMs - before;
}
