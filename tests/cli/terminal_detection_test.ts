/**
 * What is written where: in a terminal, in a dumb one, and with some of the three streams elsewhere.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "../support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "../support/run_main.ts";
import { openScreen } from "../support/screen.ts";

/** Quiet, because Deno itself clears a line of its own on every terminal. */
const PROGRAM = [...MAIN_COMMAND, "--agent", "demo"].join(" ").replace(" run ", " run --quiet ");

/** A question takes an answer when it could be read, in milliseconds. */
const READING_MS = 600;
const QUESTION = /Type a number from 1/;

/** Runs a shell line in a terminal and gives what the terminal was written. */
async function inShell(
  line: string,
  { typed = [], env = {}, columns = 80 }: {
    /** What is waited for, and what is typed then. */
    readonly typed?: readonly (readonly [RegExp, string])[];
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly columns?: number;
  } = {},
): Promise<{ readonly written: string; readonly status: number; readonly project: string }> {
  await using sandbox = await openSandbox();
  const pty = await openPty({
    command: "sh",
    args: ["-c", line],
    cwd: sandbox.project,
    env: { ...sandbox.env, ...env },
    columns,
  });
  try {
    const screen = openScreen(pty);
    for (const [seen, text] of typed) {
      await screen.waitFor(seen);
      if (seen === QUESTION) await new Promise((resolve) => setTimeout(resolve, READING_MS));
      await pty.write(text);
    }
    const status = await pty.exited;
    const files = [];
    for (const name of ["out", "err"]) {
      files.push(await Deno.readTextFile(`${sandbox.project}/${name}`).catch(() => ""));
    }
    return {
      written: new TextDecoder().decode(pty.output),
      status,
      project: files.join(""),
    };
  } finally {
    await pty.kill();
  }
}

for (
  const [what, env] of [
    ["TERM=dumb", { TERM: "dumb" }],
    ["no TERM", { TERM: undefined }],
    ["TERM=dumb, whatever COLORTERM says", { TERM: "dumb", COLORTERM: "truecolor" }],
  ] as const
) {
  Deno.test(`with ${what} no escape sequence is written`, async () => {
    const typed = [
      [/^> $/m, "markdown\n"],
      [/The end\./, "run echo hi\n"],
      [QUESTION, "1\n"],
      [/It ended with status 0/, "/exit\n"],
    ] as const;
    const { written, status } = await inShell(PROGRAM, { typed, env });
    assert.equal(status, 0);
    assert.ok(!written.includes("\x1b"), JSON.stringify(written));
    assert.match(written, /A sample/);
    assert.match(written, /Tool: run echo hi: done/);
  });
}

Deno.test("stdout in a file gets text and no escape sequence, even with a terminal at hand", async () => {
  const { project, status } = await inShell(`printf 'echo to a file\\n' | ${PROGRAM} > out 2> err`);
  assert.equal(status, 0);
  assert.match(project, /to a file/);
  assert.ok(!project.includes("\x1b"));
});

Deno.test("with stdout in a file nobody is asked, although there is somebody to type", async () => {
  const once = await inShell(`${PROGRAM} -p 'run echo hi' > out 2> err`);
  assert.equal(once.status, 4);
  assert.match(once.project, /^Then I do not run it\.\n[^]*Refused "echo hi".*--permissions allow/);
  assert.doesNotMatch(once.project + once.written, /Type a number/);
  const typed = [[/./, "run echo hi\n"], [/./, "/exit\n"]] as const;
  const lines = await inShell(`echo ready; ${PROGRAM} > out 2> err`, { typed });
  assert.match(lines.project, /Refused "echo hi"[^]*Then I do not run it\./);
  assert.doesNotMatch(lines.project + lines.written, /Type a number/);
  assert.equal(lines.status, 4);
});

Deno.test("stdin from a pipe is read as prompts, with nothing drawn on the terminal", async () => {
  const { written, status } = await inShell(`printf 'echo from a pipe\\n' | ${PROGRAM}`);
  assert.equal(status, 0);
  assert.match(written, /from a pipe/);
  assert.ok(!written.includes("\x1b[?2004h"));
});

Deno.test("stderr in a file changes nothing on the terminal", async () => {
  const { written, status } = await inShell(`${PROGRAM} 2> err`, { typed: [[/idle/, "/exit\r"]] });
  assert.equal(status, 0);
  assert.ok(written.includes("\x1b[?2004h"));
});

Deno.test("a terminal that does not know its size counts as one of 80 columns", async () => {
  const { written, status } = await inShell(`stty cols 0 rows 0; ${PROGRAM}`, {
    typed: [[/idle/, "/exit\r"]],
  });
  assert.equal(status, 0);
  assert.match(written, /mm-repl with the demo agent/);
});
