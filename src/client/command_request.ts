/**
 * What a terminal request runs: the program itself, or the user's shell.
 *
 * @module
 */

import { basename } from "node:path";
import { RPC, RpcError } from "../base/rpc.ts";
import { quoteWord } from "../model/shell_commands.ts";
import { findProgram } from "../process/find_program.ts";

/** A command of `terminal/create`. */
export interface CommandRequest {
  readonly command: string;
  /** Without arguments the command is a line for the user's shell. */
  readonly args: readonly string[];
  /** Absolute, and known to exist. */
  readonly cwd: string;
  /** Added to the inherited environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Shells that take `-c`; another `$SHELL` (such as `nologin`) is left alone. */
const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "ash",
  "bash",
  "dash",
  "fish",
  "ksh",
  "mksh",
  "zsh",
]);

/** A command that is nothing but a program's name. */
const BARE_NAME = /^[\w./+-]+$/;

/**
 * The program and arguments to start. Throws an `RpcError` when the command does not exist, as far
 * as that can be known without running it.
 */
export async function resolveCommand(request: CommandRequest): Promise<[string, ...string[]]> {
  const { command, args } = request;
  const shell = userShell();
  const find = () => findProgram(command, { cwd: request.cwd, path: request.env.PATH });
  if (args.length > 0) {
    if (await find() === undefined) throw notFound(command);
    return [command, ...args];
  }
  if (BARE_NAME.test(command) && await find() === undefined) {
    if (!await isKnownTo(shell, command, request)) throw notFound(command);
  }
  return [shell, "-c", command];
}

/** The command as one line for people, quoted where a shell would need it. */
export function describeCommand(
  { command, args }: Pick<CommandRequest, "command" | "args">,
): string {
  return args.length === 0 ? command : [command, ...args].map(quoteWord).join(" ");
}

function userShell(): string {
  const shell = Deno.env.get("SHELL") ?? "";
  return SHELLS.has(basename(shell)) ? shell : "sh";
}

/** True for a word that the shell itself understands, such as a builtin. */
async function isKnownTo(
  shell: string,
  word: string,
  { cwd, env }: CommandRequest,
): Promise<boolean> {
  const { success } = await new Deno.Command(shell, {
    args: ["-c", `command -v ${word}`],
    cwd,
    env,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

function notFound(command: string): RpcError {
  return new RpcError(RPC.invalidParams, `Cannot run ${command}: command not found`);
}
