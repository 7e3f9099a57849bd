/**
 * Runs the real program in a home of its own.
 *
 * @module
 */

import { MAIN } from "./project.ts";

/** A temporary home and project, removed at the end of the test. */
export interface Sandbox extends AsyncDisposable {
  /** Absolute; holds configuration, state and cache of the program under test. */
  readonly home: string;
  /** Absolute; the session's directory. */
  readonly project: string;
  /** Environment of every program that is run in it. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the project; folders are made. */
  write(path: string, text: string): Promise<void>;
}

/** Makes an empty home and project directory. */
export async function openSandbox(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "mm-repl-test-" }));
  const home = `${base}/home`;
  const project = `${base}/project`;
  await Deno.mkdir(home);
  await Deno.mkdir(project);
  const sandbox: Sandbox = {
    home,
    project,
    env: {
      HOME: home,
      PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
      LANG: "C.UTF-8",
      DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME") ?? "/root"}/.cache/deno`,
      DENO_NO_UPDATE_CHECK: "1",
      SHELL: "/bin/sh",
      ...coverage(),
    },
    async write(path, text) {
      const file = `${project}/${path}`;
      await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(file, text);
    },
    async [Symbol.asyncDispose]() {
      await Deno.remove(base, { recursive: true });
    },
  };
  for (const [path, text] of Object.entries(files)) await sandbox.write(path, text);
  return sandbox;
}

/** What a finished run left. */
export interface RunResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run the program. */
export interface RunOptions {
  /** Text on stdin, then its end. Default: stdin is /dev/null. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the run is killed and the test fails. Default 30,000. */
  readonly timeoutMs?: number;
}

/** The command line of the program: Deno and its arguments up to `main.ts`. */
export const MAIN_COMMAND: readonly string[] = [Deno.execPath(), "run", "-A", "--no-check", MAIN];

/** The embedded agent as a command line for `--agent`. */
export function agentCommand(...args: readonly string[]): string {
  return [...MAIN_COMMAND, "agent", ...args].map((word) => `'${word}'`).join(" ");
}

/** Runs `main.ts` with arguments in the sandbox's project and waits for its end. */
export async function runMain(
  sandbox: Sandbox,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const [command = "deno", ...rest] = MAIN_COMMAND;
  const child = new Deno.Command(command, {
    args: [...rest, ...args],
    cwd: sandbox.project,
    clearEnv: true,
    env: { ...sandbox.env, ...options.env },
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const limit = options.timeoutMs ?? 30_000;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, limit);
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin)).catch(() => {});
    await writer.close().catch(() => {});
  }
  const output = await child.output();
  clearTimeout(timer);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const result = {
    status: output.code,
    stdout: decode(output.stdout),
    stderr: decode(output.stderr),
  };
  if (late) {
    throw new Error(
      `main.ts ${
        args.join(" ")
      } did not end within ${limit} ms\nstdout: ${result.stdout}\nstderr: ${result.stderr}`,
    );
  }
  return result;
}

/** True while a process with this id exists (zombies do not count). */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2)[0] !== "Z";
  } catch {
    return false;
  }
}

/** Waits until `condition` holds, looking every 20 ms, at most `boundMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  boundMs = 10_000,
): Promise<void> {
  const end = Date.now() + boundMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not within ${boundMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Lets the programs under test count as well when coverage is measured. */
function coverage(): Record<string, string> {
  const directory = Deno.env.get("DENO_COVERAGE_DIR");
  return directory === undefined ? {} : { DENO_COVERAGE_DIR: directory };
}
