/**
 * Signing in by running the agent's own program in a terminal.
 *
 * @module
 */

import { MmError } from "../base/errors.ts";
import { asArray, asObject } from "../base/guards.ts";
import type { AuthMethod } from "../client/connection.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import { quoteWord } from "../model/shell_commands.ts";
import { runInTerminal, type TerminalCommand } from "../process/terminal_command.ts";
import type { NewQuestion } from "./questions.ts";
import type { LendTerminal, QuestionAnswer } from "./view.ts";

/**
 * What a method of type `terminal` runs: the agent's command with the words and variables that the
 * method adds. `undefined` for any other method.
 *
 * @throws {MmError} `not_supported` for an agent that is no program of this machine.
 */
export function terminalCommand(
  { type, name, raw }: AuthMethod,
  spec: AgentSpec,
  cwd: string,
): TerminalCommand | undefined {
  if (type !== "terminal") return undefined;
  if (spec.kind !== "process") {
    throw new MmError("not_supported", `Cannot sign in by ${name}: the agent runs elsewhere`);
  }
  const { command, args, env } = spec;
  const more = asArray(raw.args).filter((word) => typeof word === "string");
  const variables = Object.entries(asObject(raw.env)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    command,
    args: [...args, ...more],
    cwd,
    env: { ...env, ...Object.fromEntries(variables) },
  };
}

/**
 * Runs it on the front end's terminal; where that cannot be handed over, the person is told what to
 * run elsewhere. False when the person would not.
 *
 * @throws {MmError} `auth` when the program ends with anything but status 0.
 */
export async function signInOnTerminal(
  { name, raw }: AuthMethod,
  command: TerminalCommand,
  ask: (question: NewQuestion) => Promise<QuestionAnswer>,
  lend: LendTerminal | undefined,
): Promise<boolean> {
  if (lend === undefined) {
    const answer = await ask({
      kind: "choice",
      title: `Sign in by running this in another terminal: ${name}`,
      body: [commandLine(command, Object.keys(asObject(raw.env)))],
      options: [{ id: "done", label: "Done, I am signed in" }, { id: "stop", label: "Give up" }],
    });
    return answer.type === "option" && answer.id === "done";
  }
  const status = await lend(() => runInTerminal(command));
  if (status === 0) return true;
  throw new MmError(
    "auth",
    status === undefined
      ? `Cannot sign in by ${name}: the terminal is in use`
      : `Cannot sign in by ${name}: the agent's program ended with status ${status}`,
  );
}

/** The command as it is typed in a shell, with these variables in front. */
function commandLine({ command, args, env = {} }: TerminalCommand, names: readonly string[]) {
  const variables = names.flatMap((name) =>
    env[name] === undefined ? [] : [`${name}=${quoteWord(env[name])}`]
  );
  return [...variables, ...[command, ...args].map(quoteWord)].join(" ");
}
