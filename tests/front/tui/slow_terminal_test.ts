/**
 * A terminal at the other end of a slow line: what it answers late is read by nobody else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty, type Pty } from "../../support/pty.ts";
import { openSandbox } from "../../support/run_main.ts";
import { Screen } from "../../support/screen.ts";
import { later, PROGRAM } from "./harness.ts";

/** More than is waited for a terminal that answers at once. */
const DELAY_MS = 500;
const PROMPT = "shell> ";

/** Notes what reaches it within a second and a half, in the file beside it. */
const EDITOR = `#!/bin/sh
saved=$(stty -g)
stty -icanon -echo min 0 time 15
dd bs=64 count=1 2>/dev/null | od -An -c > "$0.read"
stty "$saved"
`;

interface Slow {
  readonly pty: Pty;
  readonly screen: Screen;
  /** The editor of the person. */
  readonly editor: string;
}

/** The program in a shell, in the middle of an answer, after a while. */
async function inSlowShell(use: (slow: Slow) => Promise<void>): Promise<void> {
  await using sandbox = await openSandbox({ "editor.sh": EDITOR });
  const editor = `${sandbox.project}/editor.sh`;
  await Deno.chmod(editor, 0o755);
  const pty = await openPty({
    command: "bash",
    args: ["--norc", "-i"],
    cwd: sandbox.project,
    env: { ...sandbox.env, PS1: PROMPT, EDITOR: editor, VISUAL: undefined },
  });
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const screen = new Screen(pty.columns, pty.rows, (data) => {
    timers.add(setTimeout(() => void pty.write(data).catch(() => {}), DELAY_MS));
  });
  pty.onOutput((chunk) => void screen.feed(chunk));
  try {
    await screen.waitFor(PROMPT);
    const program = `'${Deno.execPath()}' run -A --no-check '${PROGRAM}' told.json '{}'`;
    await pty.write(`${program}\r`);
    await screen.waitFor("idle");
    await pty.write("lines 5000\r");
    await screen.waitFor(/line \d\d\d of/);
    await use({ pty, screen, editor });
  } finally {
    timers.forEach(clearTimeout);
    await pty.kill();
  }
}

/** Asserts that the shell reads what is typed and nothing else. */
async function assertClean({ pty, screen }: Slow): Promise<void> {
  await screen.waitFor((s) => s.text().trimEnd().endsWith(PROMPT.trimEnd()));
  await later(2 * DELAY_MS);
  await pty.write("echo it is $((40 + 2))\r");
  await screen.waitFor(/^it is 42$/m);
  assert.match(screen.text(), /^shell> echo it is/m);
}

Deno.test("who leaves with Ctrl-D leaves no answers behind", async () => {
  await inSlowShell(async (slow) => {
    await slow.pty.write("\x04");
    await slow.screen.waitFor("again leaves");
    await slow.pty.write("\x04");
    await assertClean(slow);
  });
});

Deno.test("a program that is suspended leaves no answers behind", async () => {
  await inSlowShell(async (slow) => {
    await slow.pty.write("\x1a");
    await slow.screen.waitFor("Stopped");
    await assertClean(slow);
  });
});

Deno.test("an editor gets the keys of the person and nothing else", async () => {
  await inSlowShell(async ({ pty, screen, editor }) => {
    await pty.write("\x1b");
    await screen.waitFor("idle");
    await pty.write("text\x07");
    await screen.waitFor((s) => s.text().includes("› text"));
    const read = async () => await Deno.readTextFile(`${editor}.read`).catch(() => undefined);
    const end = Date.now() + 10_000;
    while (await read() === undefined && Date.now() < end) await later(20);
    await screen.waitFor("idle");
    assert.equal(await read(), "");
  });
});
