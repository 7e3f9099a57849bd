/**
 * Reading the tool files of a directory: cold, each in a process of its own, and from the cache.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure, Row } from "../figure.ts";
import { growthRows } from "../growth_rows.ts";
import { runProgram } from "../processes.ts";
import { probe } from "../programs.ts";
import { compare, interleave, median } from "../statistics.ts";

/** 100 files from the cache may take this many times as long as one. */
const CACHED_BOUND = 5;

const tool = (number: number) =>
  `export const description = "Tool ${number}: counts something, and has a description of a usual length.";
export const inputSchema = {
  type: "object",
  properties: { path: { type: "string", description: "Relative to the project" } },
  required: ["path"],
};
export const permissions = { read: ["."] };
export const handler = async ({ path }: { path: string }) => (await Deno.readTextFile(path)).length;
`;

/** The figure. */
export const describe: Figure = {
  name: "describe",
  shows: "reading 1, 10 and 100 tool files, cold and from the cache",
  async measure({ runs, quick }) {
    const counts = quick ? [1, 10] : [1, 10, 100];
    const cold = new Map<number, number[]>();
    const cached = new Map<number, number[]>();
    for (const count of counts) {
      const files = Array.from({ length: count }, (_, at) => [`tools/tool_${at}.ts`, tool(at)]);
      await using sandbox = await openSandbox(Object.fromEntries(files));
      const open = async (): Promise<number> => {
        const { stdout } = await runProgram(probe("open_toolbox.ts"), {
          cwd: sandbox.project,
          env: sandbox.env,
        });
        return Number(stdout);
      };
      const forget = () => Deno.remove(`${sandbox.project}/.cache`, { recursive: true });
      await open();
      const results = await interleave(runs, {
        cold: async () => {
          await forget();
          return await open();
        },
        cached: open,
      });
      cold.set(count, results.cold);
      cached.set(count, results.cached);
    }
    const growth = growthRows(
      (count) => `${count} tool files, cold`,
      counts,
      Object.fromEntries(cold),
    );
    return counts.flatMap((count, at): Row[] => [
      growth[at - 1] ?? { what: "1 tool file, cold", unit: "ms", ours: median(cold.get(1) ?? []) },
      compare({
        what: `${count} tool files, cached`,
        unit: "ms",
        ours: cached.get(count) ?? [],
        beside: { name: "1 file", values: cached.get(1) ?? [] },
        ...(count === 100 ? { bound: CACHED_BOUND } : {}),
      }),
    ]);
  },
};
