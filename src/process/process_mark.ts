/**
 * A word in the environment of a process, by which everything that it starts is known again, whoever
 * is its parent by then: environments are inherited, also by what leaves its group and session.
 *
 * @module
 */

import { isOwnLaunch, type LaunchSigns, parseLaunchSigns } from "./desktop_launch.ts";
import type { ProcessRow } from "./process_table.ts";

/** The variable that holds the marks, separated by spaces: those of a program that runs in another. */
const VARIABLE = "MM_REPL_PROCESS";

/** What all marks of this run have in common. */
export const RUN_MARK = `mm-repl-${crypto.randomUUID().slice(0, 13)}`;

let marks = 0;

/** The mark of one process and of everything below it. */
export class ProcessMark {
  readonly word: string = `${RUN_MARK}-${++marks}.`;
  /** Processes that are known not to have it, by pid, with when they were started. */
  readonly #strangers = new Map<number, string>();

  /** To be added to the environment of the process. */
  get environment(): Readonly<Record<string, string>> {
    const outer = Deno.env.get(VARIABLE);
    return { [VARIABLE]: outer === undefined ? this.word : `${outer} ${this.word}` };
  }

  /**
   * The processes of a table that have it, apart from those in `known` and those that the person's
   * desktop has started. Never throws.
   */
  find(table: readonly ProcessRow[], known: ReadonlyMap<number, string>): ProcessRow[] {
    const isNew = ({ pid, started, zombie }: ProcessRow) =>
      !zombie && known.get(pid) !== started && this.#strangers.get(pid) !== started;
    const candidates = table.filter(isNew);
    const has = Deno.build.os === "linux" ? this.#readEnvironments(table) : this.#readAll();
    return candidates.filter((row) => {
      const found = has(row);
      // A process never gets the mark later: it has it from its parent.
      if (!found) this.#strangers.set(row.pid, row.started);
      return found;
    });
  }

  #readEnvironments(table: readonly ProcessRow[]): (row: ProcessRow) => boolean {
    // What is older than we are is none of ours.
    const ours = Number(table.find(({ pid }) => pid === Deno.pid)?.started ?? 0);
    return ({ pid, started }) => {
      if (Number(started) < ours) return false;
      try {
        const environment = Deno.readTextFileSync(`/proc/${pid}/environ`);
        return environment.includes(this.word) &&
          !isOwnLaunch(readSigns(pid, environment), readSigns("self"));
      } catch {
        return false; // It has ended, or runs as another user.
      }
    };
  }

  #readAll(): (row: ProcessRow) => boolean {
    const { stdout } = new Deno.Command("ps", {
      args: ["-axEww", "-o", "pid=,command="],
      stdin: "null",
      stderr: "null",
    }).outputSync();
    const pids = parseMarked(new TextDecoder().decode(stdout), this.word);
    return ({ pid }) => pids.has(pid);
  }
}

function readSigns(
  pid: number | "self",
  environment = Deno.readTextFileSync(`/proc/${pid}/environ`),
): LaunchSigns {
  return parseLaunchSigns(environment, Deno.readTextFileSync(`/proc/${pid}/cgroup`));
}

/** The pids of the lines of `ps -axEww -o pid=,command=` that have a word. */
export function parseMarked(output: string, word: string): ReadonlySet<number> {
  const lines = output.split("\n").filter((line) => line.includes(word));
  return new Set(lines.map((line) => parseInt(line)).filter((pid) => !Number.isNaN(pid)));
}
