/**
 * The real program in a real terminal.
 *
 * @module
 */

import { openPty, type Pty } from "./pty.ts";
import { MAIN_COMMAND, type Sandbox } from "./run_main.ts";
import { type Expectation, openScreen, type Screen } from "./screen.ts";

/** A question takes keys only when half a second has passed without one. */
const QUIET_MS = 600;

/** A program, what types into it, and what a person sees. */
export interface InTerminal {
  readonly pty: Pty;
  readonly screen: Screen;
  /** Waits for a question, then for the time in which it takes no keys, and answers. */
  answer(question: Expectation, keys: string): Promise<void>;
}

/** Runs `main.ts` in the sandbox's project while `use` looks at it; ends it after that. */
export async function inTerminal(
  sandbox: Sandbox,
  args: readonly string[],
  use: (terminal: InTerminal) => Promise<void>,
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  const [command = "deno", ...rest] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [...rest, ...args],
    cwd: sandbox.project,
    env: { ...sandbox.env, TERM: "xterm-256color", ...env },
    columns: 100,
    rows: 30,
  });
  const screen = openScreen(pty);
  try {
    await use({
      pty,
      screen,
      async answer(question, keys) {
        await screen.waitFor(question);
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        await pty.write(keys);
      },
    });
  } finally {
    await pty.kill();
  }
}
