/**
 * What the documents tell a person to type does what they say.
 *
 * @module
 */

import assert from "node:assert/strict";
import { splitCommandLine } from "../../src/config/command_line.ts";
import type { Command } from "../../src/cli/command.ts";
import { dispatch } from "../../src/cli/dispatch.ts";
import { PROGRAM, rootCommand } from "../../src/cli/root.ts";
import { ROOT } from "../support/project.ts";
import { HANDSHAKE, say, scriptedAgent } from "../support/scripted_agent.ts";
import { assertSays, type Block, blocksOf, DOCUMENTS, loadDocument } from "./documents.ts";
import { DocumentShell } from "./shell.ts";

/** The first line of a block that is a file: its path in the project, or in the home directory. */
const FILE_LINE = /^(?:\/\/|#!\/bin\/sh\n#) ([~\w./-]+\.(?:ts|sh|jsonc))/;

/** The path of the file that a block is, if it is one. */
function fileOf({ text }: Block): string | undefined {
  return FILE_LINE.exec(text)?.[1];
}

/** How long something took differs from run to run. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+\.\d s\b/g, "0.1 s");
}

for (const name of ["docs/tools.md", "docs/agent.md", "docs/configuration.md"]) {
  Deno.test(`the commands of ${name} print what stands below them`, async () => {
    await using shell = await DocumentShell.open();
    const blocks = blocksOf(await loadDocument(name));
    const expected = [];
    for (const [index, block] of blocks.entries()) {
      const file = fileOf(block);
      if (file !== undefined) {
        await shell.write(file, block.text);
      } else if (block.language === "sh") {
        const { status, output } = await shell.run(block.text);
        const next = blocks[index + 1];
        assert.ok(status === 0, `${block.text}\n${output}`);
        if (next?.language === "text") {
          expected.push({ place: next, text: output, normalize: withoutTimes });
        }
      }
    }
    assert.ok(expected.length > 0);
    await assertSays(name, expected);
  });
}

Deno.test("the command of the README that installs mm-repl makes one that works", async () => {
  await using shell = await DocumentShell.open();
  const lines = (await loadDocument("README.md")).split("\n");
  const install = lines.find((line) => line.startsWith("deno install "));
  assert.ok(install);
  await shell.addProgram("deno", `exec '${Deno.execPath()}' "$@"`);
  const { status, output } = await shell.run(`
    export DENO_INSTALL_ROOT="$HOME/installed"
    (cd '${ROOT}' && ${install}) && "$HOME/installed/bin/mm-repl" --agent demo -p 'echo It works.'`);
  assert.equal(status, 0, output);
  assert.match(output, /^It works\.$/m);
});

Deno.test("the review of the README passes and fails with the agent's verdict", async () => {
  await using shell = await DocumentShell.open();
  const blocks = blocksOf(await loadDocument("README.md"));
  const script = blocks.find((block) => fileOf(block) === "review.sh");
  assert.ok(script);
  await shell.write("review.sh", script.text);
  const prepared = await shell.run(`
    git init -q -b main . && git config user.email you@example.org && git config user.name You &&
    echo one > file && git add file && git commit -q -m one && git switch -q -c branch &&
    echo two > file && git commit -q -a -m two`);
  assert.equal(prepared.status, 0, prepared.output);
  const verdicts = [["PASS", 0], ["FAIL: it does not PASS", 1], ["", 1]] as const;
  for (const [verdict, status] of verdicts) {
    await using agent = await scriptedAgent([
      ...HANDSHAKE,
      { expect: "session/prompt" },
      say(`${verdict}\n\nThe reasons.\n`),
      { respond: { stopReason: "end_turn" } },
    ]);
    const { command, args } = agent.spec;
    await shell.addProgram("mm", `exec ${[command, ...args].map((word) => `'${word}'`).join(" ")}`);
    const review = await shell.run("sh review.sh main");
    assert.equal(review.status, status, review.output);
    assert.match(review.output, new RegExp(`^${verdict}\n*The reasons`));
    const sent = JSON.stringify(await agent.received());
    assert.match(sent, /\+two/, "the agent was given the diff");
  }
  await shell.addProgram("mm", "exit 1");
  assert.equal((await shell.run("sh review.sh main")).status, 3);
});

Deno.test("the tool of the README is a good tool", async () => {
  await using shell = await DocumentShell.open();
  for (const block of blocksOf(await loadDocument("README.md"))) {
    const file = fileOf(block);
    if (file !== undefined) await shell.write(file, block.text);
  }
  const { status, output } = await shell.run("mm-repl tools check");
  assert.equal(status, 0, output);
  assert.match(output, /1 tool, 0 problems/);
});

Deno.test("the program of the README that uses the library runs as it stands", async () => {
  await using shell = await DocumentShell.open();
  const blocks = blocksOf(await loadDocument("README.md"));
  const program = blocks.find(({ text }) => text.startsWith("import { connect }"));
  assert.ok(program);
  await shell.write("program.ts", program.text.replace('"./src/', `"file://${ROOT}/src/`));
  const deno = `'${Deno.execPath()}' run -A --quiet --check --config '${ROOT}/deno.json'`;
  const { status, output } = await shell.run(`${deno} program.ts`);
  assert.equal(status, 0, output);
  assert.equal(output, "hello\n");
});

/** What follows the program's name where it is the command. */
const COMMAND_LINE = /(?:^|\|)\s*(?:mm-repl|(?:npx -y deno@\S+|deno) run -A main\.ts)(\s.*)?$/;

/** The command with nothing behind it. */
function inert(command: Command): Command {
  return {
    ...command,
    subcommands: command.subcommands.map((row) => ({
      ...row,
      load: async () => inert(await row.load()),
    })),
    ...(command.run === undefined ? {} : { run: () => Promise.resolve(0) }),
  };
}

Deno.test("every command line of the documents is one that mm-repl takes", async () => {
  const root = inert(rootCommand);
  const options = { path: PROGRAM, width: 80, print: () => Promise.resolve() };
  for (const name of DOCUMENTS) {
    const shells = blocksOf(await loadDocument(name)).filter(({ language }) =>
      language === "sh" || language === "bash"
    );
    assert.ok(shells.length > 0);
    const lines = shells.flatMap(({ text }) => text.replaceAll(/\\\n\s*/g, "").split("\n"));
    for (const line of lines) {
      const [command, words = ""] = COMMAND_LINE.exec(line) ?? [];
      if (command === undefined) continue;
      const args = splitCommandLine(words.replace(/\s+(?:\d?>|[|<;#]).*$/, ""));
      await assert.doesNotReject(dispatch(root, args, options), `${name}: ${line}`);
    }
  }
});

Deno.test("every link of the documents leads to a file or a heading", async () => {
  for (const name of DOCUMENTS) {
    const markdown = await loadDocument(name);
    for (const [, target = ""] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", heading] = target.split("#");
      const file = new URL(path, `file://${ROOT}/${name}`);
      const text = path === "" ? markdown : await Deno.readTextFile(file).catch(() => undefined);
      assert.ok(text !== undefined, `${name} links to ${target}`);
      if (heading !== undefined) {
        assert.ok(headingsOf(text).includes(heading), `${name} links to ${target}`);
      }
    }
  }
});

/** The headings as GitHub makes anchors of them. */
function headingsOf(markdown: string): string[] {
  return markdown.matchAll(/^#+ (.+)$/gm).map(([, text = ""]) =>
    text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-")
  ).toArray();
}
