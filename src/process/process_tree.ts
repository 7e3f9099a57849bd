/**
 * A child of ours with everything that it has started.
 *
 * @module
 */

import type { ProcessMark } from "./process_mark.ts";
import { loadProcessTable, type ProcessRow } from "./process_table.ts";

/**
 * The tree below one child that leads its own process group.
 *
 * Members are the child, everything in its group, everything with its mark, and all their
 * descendants, also those in groups and sessions of their own. What was once seen as a member stays
 * one after its parent has ended: so look with {@link members} before a parent is made to end.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #mark: ProcessMark | undefined;
  readonly #seen = new Map<number, string>();
  #rootEnded = false;

  /**
   * @param root pid of the child
   * @param mark what it was marked with
   */
  constructor(root: number, mark?: ProcessMark) {
    this.#root = root;
    this.#mark = mark;
  }

  /** Says that the child itself has been waited for: its pid may be given to another process. */
  rootEnded(): void {
    this.#rootEnded = true;
  }

  /** The members that live now. */
  members(table: readonly ProcessRow[] = loadProcessTable()): ProcessRow[] {
    const children = Map.groupBy(table, (row) => row.ppid);
    const strangerAtRoot = this.#rootEnded &&
      table.some((row) => row.pid === this.#root && this.#seen.get(row.pid) !== row.started);
    const queue = table.filter((row) =>
      (row.pid === this.#root && !this.#rootEnded) ||
      (row.pgid === this.#root && !strangerAtRoot) ||
      this.#seen.get(row.pid) === row.started
    );
    const found = new Set(queue);
    for (const row of this.#mark?.find(table, this.#seen) ?? []) {
      if (!found.has(row)) queue.push(row);
      found.add(row);
    }
    for (const row of queue) {
      this.#seen.set(row.pid, row.started);
      for (const child of children.get(row.pid) ?? []) {
        if (found.has(child)) continue;
        found.add(child);
        queue.push(child);
      }
    }
    return queue.filter((row) => !row.zombie);
  }

  /** Signals every member; returns whether there was one. */
  signal(signal: Deno.Signal): boolean {
    const members = this.members();
    if (members.some((row) => row.pgid === this.#root)) signalPid(-this.#root, signal);
    for (const row of members) {
      if (row.pgid !== this.#root) signalPid(row.pid, signal);
    }
    return members.length > 0;
  }
}

function signalPid(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended since, or runs as another user: nothing more can be done about it.
  }
}
