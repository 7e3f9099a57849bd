/**
 * What holds after every run, whatever the agent did.
 *
 * @module
 */

import type { ReportLine } from "../support/chaos/wire.ts";
import { killMarked, remainingProcesses } from "../support/marked_processes.ts";

/** The most memory that the program may ever have had resident, in bytes. */
export const MEMORY_LIMIT = 900 * 1024 * 1024;

/** How long a process may outlive the program, in milliseconds. */
const GONE_MS = 3_000;

/** What is wrong with how the agent's requests were answered. */
export function answerFaults(report: readonly ReportLine[]): string[] {
  const faults: string[] = [];
  const asked = new Map<string, { count: number; readonly method: string }>();
  for (const line of report) {
    if ("bad" in line) faults.push(`the agent got what is no message: ${line.bad}`);
    if ("asked" in line) {
      const key = `${line.start} ${JSON.stringify(line.asked)}`;
      const known = asked.get(key) ?? { count: 0, method: line.method };
      known.count++;
      asked.set(key, known);
    }
    if ("answered" in line) {
      const known = asked.get(`${line.start} ${JSON.stringify(line.answered)}`);
      if (known === undefined) {
        faults.push(`an answer to nothing: ${JSON.stringify(line.answered)}`);
      } else if (--known.count < 0) faults.push(`${known.method} was answered twice`);
    }
    if ("unanswered" in line) {
      for (const id of line.unanswered) {
        const known = asked.get(`${line.start} ${id}`);
        faults.push(`no answer to ${known?.method} (${id})`);
      }
    }
  }
  return [...new Set(faults)];
}

/** What is wrong with what the program has said. */
export function textFaults(text: string): string[] {
  const faults = text.includes("this is a fault of mm-repl") ? ["an error that nobody caught"] : [];
  const stack = /^\s+at .*\((?:file|npm|ext):.*$/m.exec(text);
  return stack === null ? faults : [...faults, `a stack trace: ${stack[0].trim()}`];
}

/** The processes of a run that outlive it, which are ended. */
export async function processFaults(mark: string): Promise<string[]> {
  const left = await remainingProcesses(mark, GONE_MS);
  await killMarked(mark);
  return left.map(({ pid, command }) => `process ${pid} is left: ${command.slice(0, 100)}`);
}

/** What is wrong with how much memory the program has had. */
export function memoryFaults(peak: number): string[] {
  return peak <= MEMORY_LIMIT ? [] : [`${Math.round(peak / 2 ** 20)} MiB of memory`];
}
