/**
 * Running a program and seeing what it took, from what the kernel says in /proc.
 *
 * @module
 */

/** What a program took. */
export interface Usage {
  /** From its start to its end, in milliseconds. */
  readonly ms: number;
  /** Largest resident memory, in bytes. */
  readonly peakBytes: number;
  /** Processor time of the program itself, without its children, in milliseconds. */
  readonly cpuMs: number;
  /** What it wrote on stdout. */
  readonly stdout: string;
}

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** True looks at memory and processor time every 10 ms. Default false: time alone. */
  readonly watch?: boolean;
}

/** Between two looks at a program that runs, in milliseconds. */
const LOOK_MS = 10;

/** Runs a program to its end. Throws when it fails. */
export async function runProgram(
  [command = "", ...args]: readonly string[],
  { cwd, env, watch = false }: RunOptions,
): Promise<Usage> {
  const begun = performance.now();
  const child = new Deno.Command(command, {
    args,
    cwd,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let peakBytes = 0;
  let cpuMs = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, residentBytes(child.pid, "VmHWM"));
    cpuMs = Math.max(cpuMs, processorMs(child.pid));
  };
  const timer = watch ? setInterval(look, LOOK_MS) : undefined;
  const { success, stdout, stderr } = await child.output();
  const ms = performance.now() - begun;
  clearInterval(timer);
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed: ${decoder.decode(stderr)}`);
  return { ms, peakBytes, cpuMs, stdout: decoder.decode(stdout) };
}

/** Memory of a process in bytes, now (`VmRSS`) or at most (`VmHWM`); 0 when it is gone. */
export function residentBytes(pid: number, which: "VmRSS" | "VmHWM"): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB$`, "m").exec(read(`/proc/${pid}/status`));
  return Number(line?.[1] ?? 0) * 1024;
}

/** Processor time of a process, its threads included, in milliseconds; 0 when it is gone. */
export function processorMs(pid: number): number {
  let nanoseconds = 0;
  try {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(read(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0] ?? 0);
    }
  } catch {
    return 0;
  }
  return nanoseconds / 1e6;
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
