/**
 * The terminal front end with a scripted program in a pseudo-terminal, and what tests ask of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { TuiOptions } from "../../../src/front/tui/mod.ts";
import { openPty, type Pty } from "../../support/pty.ts";
import { openScreen, type Screen } from "../../support/screen.ts";

/** The scripted program. */
export const PROGRAM = new URL("fake_program.ts", import.meta.url).pathname;

/** How long a question is to be left alone before it takes a key, in milliseconds. */
export const QUIET_MS = 600;

/** What types into the program, and what a person sees. */
export interface TuiSession {
  readonly pty: Pty;
  readonly screen: Screen;
  /** Types a line and Enter. */
  enter(text: string): Promise<void>;
  /** What the program was told, after it has ended. */
  told(): Promise<{ submitted: string[]; answers: unknown[] }>;
}

/** The terminal, and what the program is started with. */
export interface TuiSessionOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly settings?: TuiOptions["settings"];
}

/** Runs the program while `body` looks at it. */
export async function withTui(
  body: (session: TuiSession) => Promise<void>,
  options: TuiSessionOptions = {},
): Promise<void> {
  const directory = await Deno.makeTempDir();
  const log = `${directory}/told.json`;
  const pty = await openPty({
    command: Deno.execPath(),
    args: ["run", "-A", "--no-check", PROGRAM, log, JSON.stringify(options.settings ?? {})],
    ...options,
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor("idle");
    await body({
      pty,
      screen,
      enter: (text) => pty.write(`${text}\r`),
      async told() {
        await pty.exited;
        return JSON.parse(await Deno.readTextFile(log));
      },
    });
  } finally {
    await pty.kill();
    await Deno.remove(directory, { recursive: true });
  }
}

/** Everything that was written, as text. */
export function bytes(pty: Pty): string {
  return new TextDecoder().decode(pty.output);
}

/** How often `part` stands in `text`. */
export function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Asserts that the terminal is as it was found. */
export async function assertRestored(pty: Pty): Promise<void> {
  const modes = await pty.ttyModes();
  assert.match(modes, /(?<!-)\bicanon\b/);
  assert.match(modes, /(?<!-)\becho\b/);
  const output = bytes(pty);
  assert.ok(output.lastIndexOf("\x1b[?2004l") > output.lastIndexOf("\x1b[?2004h"));
  assert.ok(output.lastIndexOf("\x1b[?25h") > output.lastIndexOf("\x1b[?25l"));
  assert.ok(output.lastIndexOf("\x1b[<u") > output.lastIndexOf("\x1b[>5u"));
  assert.ok(output.lastIndexOf("\x1b[?1004l") > output.lastIndexOf("\x1b[?1004h"));
}

/** Asserts that nothing but the lower part was ever rewritten. */
export function assertScrollbackUntouched(pty: Pty): void {
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(bytes(pty), /\x1b\[[23]J|\x1b\[\?1049|\x1b\[\?47h|\x1b\[H/);
}

/** Waits; for what is about time. */
export async function later(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
