/**
 * Runs the program under a shell that gives it, or takes from it, what a test wants.
 *
 * @module
 */

import { MAIN_COMMAND, type RunResult, type Sandbox } from "./run_main.ts";

/** How to run it. */
export interface ShellRun {
  /** Runs before the program, in the same shell; `"$@"` is the program. Default: `exec "$@"`. */
  readonly script?: string;
  /** A whole command line in front of the program, e.g. that of a namespace. */
  readonly before?: (command: readonly string[]) => readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Given on stdin, then its end. Default: /dev/null. */
  readonly stdin?: string;
  /** Deno's own arguments, before `main.ts`. */
  readonly denoArgs?: readonly string[];
}

/** Half a minute is far more than any of these runs needs. */
const LIMIT_MS = 30_000;

/** Runs `main.ts` with arguments in the sandbox's project. Rejects when it does not end. */
export async function runInShell(
  sandbox: Sandbox,
  args: readonly string[],
  { script = 'exec "$@"', before = (c) => c, env = {}, stdin, denoArgs = [] }: ShellRun = {},
): Promise<RunResult> {
  const program = [...MAIN_COMMAND.toSpliced(-1, 0, ...denoArgs), ...args];
  const [command = "sh", ...rest] = before(["sh", "-c", script, "sh", ...program]);
  const environment: Record<string, string> = { ...sandbox.env };
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete environment[name];
    else environment[name] = value;
  }
  const child = new Deno.Command(command, {
    args: rest,
    cwd: sandbox.project,
    clearEnv: true,
    env: environment,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, LIMIT_MS);
  if (stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
    await writer.close().catch(() => {});
  }
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const result = { status: code, stdout: decode(stdout), stderr: decode(stderr) };
  if (late) throw new Error(`it did not end: ${JSON.stringify(result)}`);
  return result;
}
