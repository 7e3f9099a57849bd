/**
 * An editor that fails, with the real program.
 *
 * @module
 */

import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";

const FAILURES = [
  ["false", "false ended with status 1: the text is as it was"],
  ["no-such-editor -x", "no-such-editor -x ended with status 127: the text is as it was"],
  ["sh -c 'kill -9 $$'", "ended with status 137: the text is as it was"],
  ["rm", "Cannot edit the text with rm: No such file"],
] as const;

Deno.test("an editor that fails leaves the text and the terminal as they were, and is told of", async () => {
  await using sandbox = await openSandbox();
  for (const [EDITOR, told] of FAILURES) {
    await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async ({ pty, screen }) => {
      await screen.waitFor("idle");
      await pty.write("a draft");
      await screen.waitFor("› a draft");
      await pty.write("\x07");
      await screen.waitFor(told);
      await pty.write("!");
      await screen.waitFor("› a draft!");
    }, { EDITOR, VISUAL: undefined });
  }
});

Deno.test("without room for a file the text is not edited elsewhere, and nothing else happens", async () => {
  await using sandbox = await openSandbox();
  const env = { EDITOR: "true", VISUAL: undefined, TMPDIR: `${sandbox.project}/not/there` };
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("a draft");
    await screen.waitFor("› a draft");
    await pty.write("\x07");
    await screen.waitFor("Cannot edit the text with true");
    await pty.write("!");
    await screen.waitFor("› a draft!");
  }, env);
});
