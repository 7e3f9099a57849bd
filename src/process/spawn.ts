/**
 * Starting a program, with errors that say which of the many reasons it was.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import type { ProcessMark } from "./process_mark.ts";

/** What to start. */
export interface ProcessSpec {
  /** Program; found on the PATH when it has no slash. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment when `clearEnv`, else added to the inherited one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clearEnv?: boolean;
  /** Bytes of stderr that are kept. Default 64 KiB. */
  readonly stderrLimit?: number;
  /** It cannot start programs, so only it itself has to be ended. Default false. */
  readonly isAlone?: boolean;
  /** `null` closes stdin at once. Default `piped`. */
  readonly stdin?: "piped" | "null";
  /** Called with each piece of stderr as it comes (decoded, unsanitised). Must not throw. */
  readonly onStderr?: (text: string) => void;
}

/**
 * Starts a program as the leader of a session of its own, all three streams piped: one process group
 * to end, and no terminal that it could open. `mark` is put into its environment.
 */
export async function spawn(spec: ProcessSpec, mark: ProcessMark): Promise<Deno.ChildProcess> {
  checkDirectory(spec);
  try {
    return new Deno.Command(spec.command, {
      args: [...spec.args],
      cwd: spec.cwd,
      env: { ...spec.env, ...mark.environment },
      clearEnv: spec.clearEnv ?? false,
      stdin: spec.stdin ?? "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
  } catch (error) {
    throw await explain(spec, error);
  }
}

/**
 * Deno reports a missing directory like a missing program, so it is looked at first; at once, so that
 * the program is running when {@link spawn} returns to its caller.
 */
function checkDirectory({ command, cwd }: ProcessSpec): void {
  let reason: string;
  try {
    if (Deno.statSync(cwd).isDirectory) return;
    reason = "is not a directory";
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    reason = missing ? "does not exist" : `cannot be used: ${messageOf(error)}`;
  }
  throw new MmError(
    "agent_directory",
    `Cannot start "${command}": the directory ${cwd} ${reason}`,
    {
      hint: "Name a directory that exists.",
    },
  );
}

async function explain(spec: ProcessSpec, error: unknown): Promise<MmError> {
  const { command } = spec;
  const fail = (why: string, hint: string) =>
    new MmError("agent_not_found", `Cannot start "${command}": ${why}`, { hint, cause: error });
  if (error instanceof Deno.errors.NotFound) {
    if (!command.includes("/")) {
      return fail("command not found", `Install ${command}, or add its directory to the PATH.`);
    }
    return await exists(spec)
      ? fail("the interpreter named in its first line was not found", "Install that interpreter.")
      : fail("no such file", "Check the path of the command.");
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return fail("it is not an executable file", "Run chmod +x on it, or name its interpreter.");
  }
  return fail(messageOf(error), "Check the command and its arguments.");
}

async function exists({ command, cwd }: ProcessSpec): Promise<boolean> {
  try {
    await Deno.stat(command.startsWith("/") ? command : `${cwd}/${command}`);
    return true;
  } catch {
    return false;
  }
}
