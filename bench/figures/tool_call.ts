/**
 * A tool call, from the agent's request to the answer.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure } from "../figure.ts";
import { runProgram } from "../processes.ts";
import { floor, STREAM_AGENT, withTools } from "../programs.ts";
import { compare, interleave, quantile } from "../statistics.ts";

/** Calls at the start that are not counted: the process of the tool starts with the first. */
const COLD = 20;

const TOOL = `export const description = "Gives its text back.";
export const inputSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};
export const handler = ({ text }: { text: string }) => text;
`;

/** The figure. */
export const toolCall: Figure = {
  name: "tool-call",
  shows: "a warm tool call, from the agent's request to the answer",
  async measure({ runs, quick }) {
    await using sandbox = await openSandbox({ "tools/echo.ts": TOOL });
    const calls = COLD + (quick ? 50 : 1_000);
    const options = { cwd: sandbox.project, env: sandbox.env };
    const times = async (
      command: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): Promise<readonly number[]> => {
      const { stdout } = await runProgram(command, { ...options, env: { ...options.env, ...env } });
      return (JSON.parse(stdout) as number[]).slice(COLD);
    };
    const { ours, inProcess } = await interleave(runs, {
      ours: () => times(withTools(STREAM_AGENT, `call echo ${calls} 100`)),
      inProcess: () =>
        times(floor(STREAM_AGENT, `call _bench/echo ${calls} 100`), { BENCH_TOOL: "_bench/echo" }),
    });
    const row = (what: string, share: number) =>
      compare({
        what,
        unit: "µs",
        ours: ours.map((run) => quantile(run, share)),
        beside: { name: "in-process", values: inProcess.map((run) => quantile(run, share)) },
      });
    return [row("tool call, warm: p50", 0.5), row("tool call, warm: p99", 0.99)];
  },
};
