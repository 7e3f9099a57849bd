/**
 * Plays a whole trace in a directory of its own.
 *
 * @module
 */

import { messageOf } from "../../src/base/errors.ts";
import type { SessionState } from "../../src/model/session.ts";
import { checkRun } from "./check_run.ts";
import { playRun } from "./drive.ts";
import { directoryOf, parseTrace } from "./trace.ts";

/** How a trace went. */
export interface PlayedTrace {
  /** Everything that is wrong; empty when nothing is. */
  readonly faults: readonly string[];
  /** The sessions of all runs as they were at the end of theirs. */
  readonly states: readonly SessionState[];
  /** The same, run by run. */
  readonly runs: readonly (readonly SessionState[])[];
  /** The directory that stood for the one of the trace; it is gone. */
  readonly cwd: string;
}

/** Plays the text of a trace. Never rejects for what is wrong with the client or the trace. */
export async function playTrace(text: string): Promise<PlayedTrace> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "mm-replay-" }));
  const cwd = `${base}/project`;
  const faults: string[] = [];
  const byRun: SessionState[][] = [];
  try {
    await Deno.mkdir(cwd);
    const directory = directoryOf(parseTrace(text));
    const here = directory === undefined ? text : text.replaceAll(directory, cwd);
    const runs = parseTrace(here);
    const traceFile = `${base}/trace.ndjson`;
    await Deno.writeTextFile(traceFile, here);
    for (const [number, run] of runs.entries()) {
      const reportFile = `${base}/report-${number}.json`;
      const played = await playRun(run, { traceFile, number, cwd, reportFile });
      byRun.push([...played.states.values()]);
      const name = runs.length === 1 ? "" : `run ${number + 1}: `;
      faults.push(...checkRun(run, played).map((fault) => name + fault));
    }
  } catch (error) {
    faults.push(messageOf(error));
  } finally {
    await Deno.remove(base, { recursive: true });
  }
  return { faults, states: byRun.flat(), runs: byRun, cwd };
}
