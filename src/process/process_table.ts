/**
 * The processes of the machine: Linux through /proc, elsewhere through `ps`.
 *
 * @module
 */

/** One process of the machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Ended, but not yet waited for by its parent. */
  readonly zombie: boolean;
  /** When it was started: together with the pid it names one process for ever. */
  readonly started: string;
}

/** Reads the process table, synchronously so that it can be used on the way out. Never throws. */
export function loadProcessTable(): ProcessRow[] {
  try {
    return Deno.build.os === "linux" ? loadFromProc() : loadFromPs();
  } catch {
    return [];
  }
}

function loadFromProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const entry of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(entry.name)) continue;
    let stat: string;
    try {
      stat = Deno.readTextFileSync(`/proc/${entry.name}/stat`);
    } catch {
      continue; // ended since the directory was read
    }
    const row = parseProcStat(stat);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Parses `/proc/<pid>/stat`. The second field, the program's name, may hold anything. */
export function parseProcStat(stat: string): ProcessRow | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, ppid, pgid] = fields;
  const started = fields[19];
  const pid = parseInt(stat);
  if (Number.isNaN(pid) || started === undefined) return undefined;
  return {
    pid,
    ppid: Number(ppid),
    pgid: Number(pgid),
    zombie: state === "Z" || state === "X",
    started,
  };
}

function loadFromPs(): ProcessRow[] {
  const { stdout } = new Deno.Command("ps", {
    args: ["-axo", "pid=,ppid=,pgid=,stat=,lstart="],
    env: { LC_ALL: "C" },
    stdin: "null",
    stderr: "null",
  }).outputSync();
  return parsePs(new TextDecoder().decode(stdout));
}

/** Parses the output of `ps -axo pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePs(output: string): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const line of output.split("\n")) {
    const [pid, ppid, pgid, state, ...started] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || started.length === 0) continue;
    rows.push({
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      zombie: state.startsWith("Z"),
      started: started.join(" "),
    });
  }
  return rows;
}
