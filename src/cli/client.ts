/**
 * An agent for one question: started, asked and ended.
 *
 * @module
 */

import { openClient } from "../api/client.ts";
import type { Client } from "../api/contract.ts";
import type { AppOptions } from "../app/options.ts";
import { appOptions, loadSetup } from "./app_options.ts";
import type { CommandInput } from "./command.ts";
import { leftOutLine } from "./confirm_project.ts";
import { printErr } from "./output.ts";
import { untilSignal } from "./signals.ts";

/**
 * Starts the agent that the flags name, calls `use` with it and ends it. Gives the exit status that
 * `use` gives, or that of a signal.
 */
export async function withClient(
  input: CommandInput,
  use: (client: Client, options: AppOptions) => Promise<number>,
): Promise<number> {
  const setup = await loadSetup(input.values);
  if (setup.config.needsConfirmation !== undefined) {
    printErr(leftOutLine(setup.config.needsConfirmation));
  }
  const options = await appOptions(setup, input, false);
  options.startNotices.forEach((line) => printErr(`mm-repl: ${line}`));
  const seconds = input.values.number("timeout");
  return await untilSignal(async (signal) => {
    const client = await openClient({
      spec: options.spec,
      cwd: options.cwd,
      agentCwd: options.agentCwd,
      fs: options.fs,
      terminal: options.terminal,
      signIn: options.signIn,
      timeoutMs: seconds === undefined ? options.timeoutMs : seconds * 1_000,
      tap: options.tap,
      signal,
    });
    try {
      return await use(client, options);
    } finally {
      await client.close();
    }
  });
}
