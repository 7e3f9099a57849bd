/**
 * The real program in a real terminal, from its first question to its last signal.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../support/in_terminal.ts";
import { MAIN } from "../support/project.ts";
import { openPty } from "../support/pty.ts";
import { openSandbox } from "../support/run_main.ts";

/** Without mm on the PATH. */
const BARE = { PATH: "/usr/bin:/bin" };

Deno.test("main in a terminal says that mm is missing and starts the embedded agent", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, [], async ({ pty, screen }) => {
    await screen.waitFor(
      /mm was not found, so the demo agent answers: install mini-me, or use --agent\./,
    );
    await screen.waitFor(/idle.*demo/);
    await pty.write("echo from the demo\r");
    await screen.waitFor(/^from the demo$/m);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  }, BARE);
});

Deno.test("main in a terminal asks about what a project's file widens, once", async () => {
  await using sandbox = await openSandbox({
    ".mm-repl.jsonc": '{ "permissions": "allow", "agent": "demo" }',
  });
  const question = /Use these settings/;
  await inTerminal(sandbox, [], async ({ pty, screen }) => {
    await screen.waitFor(question);
    assert.match(screen.unwrapped(), /\.mm-repl\.jsonc:1: agent = "demo"/);
    assert.match(screen.unwrapped(), /\.mm-repl\.jsonc:1: permissions = "allow"/);
    await pty.write("n\n");
    await screen.waitFor(/mm was not found/);
    await pty.write("/exit\r");
    assert.equal(await pty.exited, 0);
  }, BARE);
  for (const answers of [["y\n"], []]) {
    await inTerminal(sandbox, [], async ({ pty, screen }) => {
      if (answers.length > 0) await screen.waitFor(question);
      for (const answer of answers) await pty.write(answer);
      await screen.waitFor(/idle.*demo/);
      assert.doesNotMatch(screen.all(), /mm was not found/);
      if (answers.length === 0) assert.doesNotMatch(screen.all(), question);
      await pty.write("/exit\r");
      assert.equal(await pty.exited, 0);
    }, BARE);
  }
});

for (
  const [what, args, env] of [
    ["--plain", ["--plain"], {}],
    ["TERM=dumb", [], { TERM: "dumb" }],
    ["no TERM", [], { TERM: undefined }],
  ] as const
) {
  Deno.test(`main in a terminal with ${what} works line by line`, async () => {
    await using sandbox = await openSandbox();
    await inTerminal(sandbox, [...args, "--agent", "demo"], async ({ pty, screen }) => {
      await screen.waitFor(/^mm-repl with the demo agent: \/help lists .*\n[^]*^> /m);
      await pty.write("echo in lines\n");
      await screen.waitFor(/^in lines$/m);
      await pty.write("\x04");
      assert.equal(await pty.exited, 0);
    }, env);
  });
}

for (const [signal, status] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const) {
  Deno.test(`main in a terminal ends on ${signal} with ${status}, the terminal as it was`, async () => {
    await using sandbox = await openSandbox();
    await inTerminal(sandbox, ["--agent", "demo"], async ({ pty, screen }) => {
      await screen.waitFor(/idle.*demo/);
      pty.signal(signal);
      assert.equal(await pty.exited, status);
      const modes = await pty.ttyModes();
      assert.match(modes, / icanon/);
      assert.match(modes, / echo /);
    });
  });
}

Deno.test("main in a terminal without Deno permissions names the flags, asks nothing and ends", async () => {
  await using sandbox = await openSandbox();
  for (const args of [[], ["-p", "x"], ["tools", "list"]]) {
    const pty = await openPty({
      command: Deno.execPath(),
      args: ["run", "--no-check", "--allow-read", MAIN, ...args],
      cwd: sandbox.project,
      env: sandbox.env,
    });
    try {
      assert.equal(await pty.exited, 2);
      const text = new TextDecoder().decode(pty.output);
      assert.match(text, /Cannot start without the Deno permissions --allow-write --allow-env/);
      assert.doesNotMatch(text, /Allow\?|granted access|requests/);
    } finally {
      await pty.kill();
    }
  }
});
