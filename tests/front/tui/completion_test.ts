/**
 * Completion of files, with the real program.
 *
 * @module
 */

import assert from "node:assert/strict";
import { inTerminal } from "../../support/in_terminal.ts";
import { openSandbox } from "../../support/run_main.ts";

const FILES = {
  "my notes.txt": "x",
  "é ü.txt": "x",
  "日本.txt": "x",
  "src/deep/a.ts": "x",
  "weird\u202ename.txt": "x",
  "new\nline.txt": "x",
  'a"quote.txt': "x",
  ".gitignore": "*.log\nbuild/\n",
  "ignored.log": "x",
  "build/made.txt": "x",
};

/** What is typed, what is proposed first, and what Tab makes of it on the screen. */
const CASES = [
  ["notes", "my notes.txt", '@"my notes.txt"'],
  ["é", "é ü.txt", '@"é ü.txt"'],
  ["日", "日本.txt", "@日本.txt"],
  ["dee", "src/deep/", "@src/deep/"],
  ["weird", "weird<U+202E>name.txt", "@weird\ufffdname.txt"],
  ["line", "new⏎line.txt", '@"new\n  line.txt"'],
  ["quote", 'a"quote.txt', '@a\\"quote.txt'],
] as const;

Deno.test("files of any name are proposed after an at sign, but for those that git ignores", async () => {
  await using sandbox = await openSandbox(FILES);
  await new Deno.Command("git", { args: ["init", "-q"], cwd: sandbox.project }).output();
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    for (const [typed, proposed, taken] of CASES) {
      await pty.write(`@${typed}`);
      await screen.waitFor(`→ ${proposed}`);
      await pty.write("\t");
      await screen.waitFor(`› ${taken}`);
      await pty.write("\x03");
      await screen.waitFor((s) => !s.text().includes(taken));
    }
    await pty.write("@");
    await screen.waitFor("→ ");
    await pty.write("log");
    await screen.waitFor((s) => !s.text().includes("→ "));
    assert.match(screen.text(), /› @log$/m);
  });
});

Deno.test("a proposal with a character that a terminal must not get names the file that it is", async () => {
  await using sandbox = await openSandbox({ "weird\u202e\u009bname.txt": "x" });
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("see @weird");
    await screen.waitFor("→ weird");
    await pty.write("\t\r");
    await screen.waitFor("[file weird<U+202E><U+009B>name.txt");
  });
});

Deno.test("Enter and Tab right behind other text take no proposal that was made before it", async () => {
  await using sandbox = await openSandbox();
  await inTerminal(sandbox, ["--agent", "demo", "--no-tools"], async ({ pty, screen }) => {
    await screen.waitFor("idle");
    await pty.write("/the");
    await screen.waitFor("→ /theme");
    await pty.write("\x15hey\t\r");
    await screen.waitFor("› hey\n");
    await pty.write("/hel");
    await screen.waitFor("→ /help");
    await pty.write("p\r");
    await screen.waitFor("› /help\n");
  });
});
