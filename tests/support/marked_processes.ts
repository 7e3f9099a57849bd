/**
 * Processes that know a word in their environment: everything that a run has started, whoever is its
 * parent by now. Linux.
 *
 * @module
 */

/** The variable that carries the word. */
export const MARK_VARIABLE = "TEST_RUN_MARK";

/** A living process of a run. */
export interface MarkedProcess {
  readonly pid: number;
  /** Its command line. */
  readonly command: string;
}

/** The living processes whose environment has `MARK_VARIABLE=mark`. */
export async function markedProcesses(mark: string): Promise<MarkedProcess[]> {
  const found: MarkedProcess[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await readText(`/proc/${name}/environ`);
    if (!environment.split("\0").includes(`${MARK_VARIABLE}=${mark}`)) continue;
    const stat = await readText(`/proc/${name}/stat`);
    if (/^\d+ \(.*\) [ZX]/s.test(stat) || stat === "") continue;
    const command = (await readText(`/proc/${name}/cmdline`)).replaceAll("\0", " ").trim();
    found.push({ pid: Number(name), command: command + " " + stat });
  }
  return found;
}

/** Waits until none lives, at most `ms` milliseconds; gives those that do. */
export async function remainingProcesses(mark: string, ms: number): Promise<MarkedProcess[]> {
  const end = Date.now() + ms;
  for (;;) {
    const left = await markedProcesses(mark);
    if (left.length === 0 || Date.now() > end) return left;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends what is left of a run that has failed. */
export async function killMarked(mark: string): Promise<void> {
  for (const { pid } of await markedProcesses(mark)) {
    try {
      Deno.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

/** The most memory that a process has had resident so far, in bytes; 0 when it is gone. */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readText(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch {
    return ""; // it has ended since
  }
}
