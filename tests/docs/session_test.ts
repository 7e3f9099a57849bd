/**
 * The sessions that the README shows are what a person sees on the screen.
 *
 * @module
 */

import { MAIN_COMMAND } from "../support/run_main.ts";
import { openPty, type Pty } from "../support/pty.ts";
import { openScreen, type Screen } from "../support/screen.ts";
import { assertSays, blocksOf, type Expected, loadDocument, partOf } from "./documents.ts";
import { DocumentShell } from "./shell.ts";

/** What a person does, and what they wait for before it. */
type Act = readonly [see: RegExp, type: string];

/** A question takes no answer in its first half second, in milliseconds. */
const ANSWER_MS = 700;

/** What was on the screen of a session. */
interface Played {
  /** When each question was asked. */
  readonly questions: readonly string[];
  /** At the end. */
  readonly end: string;
}

/** Plays a session of `mm-repl --agent demo`. */
async function play(shell: DocumentShell, acts: readonly Act[], last: RegExp): Promise<Played> {
  const { project } = shell;
  const [command = "", ...args] = MAIN_COMMAND;
  const pty = await openPty({
    command,
    args: [...args, "--agent", "demo"],
    cwd: project,
    // Wide enough for any temporary directory, whose path is longer than the one in the document.
    columns: 104,
    rows: 40,
    env: { ...shell.env, NO_COLOR: undefined },
  });
  try {
    const screen = openScreen(pty);
    const questions: string[] = [];
    for (const [see, type] of acts) {
      await screen.waitFor(see);
      if (QUESTION.test(screen.text())) {
        questions.push(shell.named(textOf(screen)));
        await answer(pty, screen, type);
      } else await pty.write(type);
    }
    await screen.waitFor(last);
    return { questions, end: shell.named(textOf(screen)) };
  } finally {
    await pty.kill();
  }
}

/** What stands below every question. */
const QUESTION = /^┃ digit/m;

async function answer(pty: Pty, screen: Screen, digit: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
  await pty.write(digit);
  await screen.waitFor((now) => !QUESTION.test(now.text()));
}

function textOf(screen: Screen): string {
  return `$ mm-repl --agent demo\n${screen.all().trimEnd()}\n`;
}

/** How long something took differs from run to run, and so does where the project is. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+(?:\.\d)? s\b/g, "1.0 s");
}

function expectation(markdown: string, part: string, screen: string): Expected {
  return {
    place: partOf(markdown, part),
    text: `\n\`\`\`\`text\n${screen}\`\`\`\`\n\n`,
    normalize: withoutTimes,
  };
}

Deno.test("the first session and the first tool of the README look as it shows them", async () => {
  const markdown = await loadDocument("README.md");
  await using first = await DocumentShell.open();
  const hello = await play(first, [[/idle/, "hello\r"], [/help has/, ""]], /idle/);

  await using second = await DocumentShell.open();
  const tool = blocksOf(markdown).find(({ text }) => text.startsWith("// tools/count_lines.ts"));
  await second.write("tools/count_lines.ts", tool?.text ?? "");
  const call = await play(second, [
    [/Yes, always/, "1"],
    [/^idle/m, 'call count_lines {"path": "tools/count_lines.ts"}\r'],
    [/Allow once/, "1"],
    [/answered:/, ""],
  ], /idle/);
  await assertSays("README.md", [
    expectation(markdown, "first-session", hello.end),
    expectation(markdown, "trust-question", call.questions[0] ?? ""),
    expectation(markdown, "first-tool", call.end),
  ]);
});
