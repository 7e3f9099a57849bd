/**
 * From the start of the program to a prompt that can be used, in a real pseudo-terminal.
 *
 * @module
 */

import { openPty } from "../../tests/support/pty.ts";
import { openSandbox, type Sandbox, until } from "../../tests/support/run_main.ts";
import { Screen } from "../../tests/support/screen.ts";
import type { Figure } from "../figure.ts";
import { EMBEDDED_AGENT, floor, repl } from "../programs.ts";
import { compare, interleave } from "../statistics.ts";

const BOUND = 2;

/** Notes the time in a file and becomes the program. */
const TIMED = 'date +%s%N > "$0"; exec "$@"';

/** The figure. */
export const terminalStart: Figure = {
  name: "terminal-start",
  shows: "from the start to a prompt with an open session, in the terminal",
  async measure({ runs }) {
    await using sandbox = await openSandbox();
    const { ours, painted, sdk } = await interleave(runs * 2, {
      ours: () => timeUntil(sandbox, repl(EMBEDDED_AGENT), "idle"),
      painted: () => timeUntil(sandbox, repl(EMBEDDED_AGENT), "› "),
      sdk: () => timeUntil(sandbox, floor(EMBEDDED_AGENT), "> "),
    });
    const beside = { name: "SDK client", values: sdk };
    return [
      compare({ what: "start to usable prompt", unit: "ms", ours, beside, bound: BOUND }),
      compare({ what: "start to first paint", unit: "ms", ours: painted, beside }),
    ];
  },
};

/** Milliseconds from the start of a program until it has written a text. */
async function timeUntil(
  { project, env }: Sandbox,
  command: readonly string[],
  text: string,
): Promise<number> {
  const stamp = await Deno.makeTempFile();
  const args = ["-c", TIMED, stamp, ...command];
  const pty = await openPty({ command: "sh", args, cwd: project, env: { ...env } });
  try {
    const screen = new Screen(pty.columns, pty.rows, (data) => void pty.write(data));
    const decoder = new TextDecoder();
    let written = "";
    let seenAt: number | undefined;
    pty.onOutput((chunk) => {
      written += decoder.decode(chunk, { stream: true });
      if (written.includes(text)) seenAt ??= performance.timeOrigin + performance.now();
      void screen.feed(chunk);
    });
    await until(() => seenAt !== undefined, `written: ${text}`, 30_000);
    return (seenAt ?? NaN) - Number(await Deno.readTextFile(stamp)) / 1e6;
  } finally {
    await pty.kill();
    await Deno.remove(stamp);
  }
}
