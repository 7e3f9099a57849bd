/**
 * Ctrl-Z and what comes of it, in a real shell with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { openPty } from "../../support/pty.ts";
import { MAIN_COMMAND, openSandbox } from "../../support/run_main.ts";
import { openScreen } from "../../support/screen.ts";
import { count, later, withTui } from "./harness.ts";

Deno.test("what the agent says while the program is suspended is shown when it goes on", async () => {
  await using sandbox = await openSandbox();
  const pty = await openPty({
    command: "bash",
    args: ["--norc", "-i"],
    cwd: sandbox.project,
    env: { ...sandbox.env, PS1: "shell> " },
  });
  try {
    const screen = openScreen(pty);
    await screen.waitFor("shell> ");
    const agent = `'${[...MAIN_COMMAND, "agent"].join(" ")}'`;
    await pty.write(`${[...MAIN_COMMAND, "--no-tools", "--agent", agent].join(" ")}\r`);
    await screen.waitFor("idle");
    await pty.write("slow 25\rdraft");
    await screen.waitFor(/^1 2 3/m);
    await pty.write("\x1a");
    await screen.waitFor((s) => /Stopped[^]*shell>$/.test(s.text().trimEnd()));
    await pty.write("stty -a | grep -o '[-]*icanon'\r");
    await screen.waitFor(/^icanon$/m);
    await later(1_500);
    await pty.write("fg\r");
    await screen.waitFor((s) => /\b25\b/.test(s.text()) && s.text().includes("idle"));
    const numbers = Array.from({ length: 25 }, (_, i) => `${i + 1}`).join(" ");
    assert.ok(screen.all().replace(/\s+/g, " ").includes(numbers), screen.all());
    await screen.waitFor("› draft");
    await pty.write(" goes on\r");
    await screen.waitFor(/You said “draft goes on”[^]*idle/);
    await pty.write("\x04");
    await screen.waitFor((s) => s.text().trimEnd().endsWith("shell>"));
  } finally {
    await pty.kill();
  }
});

Deno.test("after a stop and a continue that nobody used the terminal in, it is drawn in place", async () => {
  await withTui(async ({ pty, screen }) => {
    await pty.write("a draft");
    await screen.waitFor("› a draft");
    const children = await Deno.readTextFile(`/proc/${pty.pid}/task/${pty.pid}/children`);
    assert.equal(children, "", "the program itself is stopped");
    Deno.kill(pty.pid, "SIGSTOP");
    screen.resize(60, 15);
    await pty.resize(60, 15);
    Deno.kill(pty.pid, "SIGCONT");
    await pty.write(" goes on\r");
    await screen.waitFor("you said: a draft goes on");
    await screen.waitFor((s) => !s.text().includes("working"));
    assert.equal(count(screen.unwrapped(), "a draft"), 2, screen.unwrapped());
    assert.equal(count(screen.unwrapped(), "idle"), 1, screen.unwrapped());
  });
});
