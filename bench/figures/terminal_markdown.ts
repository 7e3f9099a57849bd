/**
 * A long Markdown answer in the terminal, beside the same answer through `-p`.
 *
 * @module
 */

import { openSandbox } from "../../tests/support/run_main.ts";
import type { Figure } from "../figure.ts";
import { runProgram } from "../processes.ts";
import { print, STREAM_AGENT } from "../programs.ts";
import { compare, interleave } from "../statistics.ts";
import { TerminalSession } from "../terminal.ts";

const BOUND = 3;

/** The figure. */
export const terminalMarkdown: Figure = {
  name: "terminal-markdown",
  shows: "a Markdown answer of 1 MB in chunks of 20 bytes, in the terminal and through -p",
  async measure({ quick, runs }) {
    const prompt = `markdown ${quick ? 50_000 : 1_000_000} 0 1`;
    await using sandbox = await openSandbox();
    const { ours, plain } = await interleave(runs, {
      ours: async () => {
        await using session = await TerminalSession.open(STREAM_AGENT);
        await session.turn(prompt, "turn-1-ended");
        const { bytes, cpuMs } = session.usage();
        return { bytes, cpuMs };
      },
      plain: async () => {
        const options = { cwd: sandbox.project, env: sandbox.env, watch: true };
        const { stdout, cpuMs } = await runProgram(print(STREAM_AGENT, prompt), options);
        return { bytes: stdout.length, cpuMs };
      },
    });
    const what = `Markdown, ${prompt.split(" ")[1]} bytes`;
    return [
      compare({
        what: `${what}: processor time`,
        unit: "ms",
        ours: ours.map(({ cpuMs }) => cpuMs),
        beside: { name: "-p", values: plain.map(({ cpuMs }) => cpuMs) },
        bound: BOUND,
      }),
      compare({
        what: `${what}: written`,
        unit: "MB",
        ours: ours.map(({ bytes }) => bytes / 1e6),
        beside: { name: "-p", values: plain.map(({ bytes }) => bytes / 1e6) },
      }),
    ];
  },
};
