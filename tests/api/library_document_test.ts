/**
 * The programs of docs/library.md, run as they stand there, in a directory set up as it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ROOT } from "../support/project.ts";
import { MAIN_COMMAND, openSandbox } from "../support/run_main.ts";

/** What each program is run with and what it prints, in the order of the document. */
const RUNS: readonly (readonly [argument: string, prints: RegExp])[] = [
  ["echo from the agent", /^from the agent\n$/],
  ['call count_words {"text":"one two three"}', /\[.*count_words.*: completed\]\n[^]*3 words/],
  ["Say hello.", /^answered: Say hello\.\nanswered: And now in French\.\n$/],
  ["", /^refused with -32601\n$/],
  ["", /^user agent\n$/],
];

const markdown = await Deno.readTextFile(`${ROOT}/docs/library.md`);
const [, configuration = ""] = /^```json\n([\s\S]*?)^```$/m.exec(markdown) ?? [];
const programs = markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm).map(([, text = ""]) => text)
  .toArray();

Deno.test("the programs of the library's document do what it says", async () => {
  assert.equal(programs.length, RUNS.length);
  const names = programs.map((_, index) => `program_${index + 1}.ts`);
  const files = Object.fromEntries(names.map((name, index) => [name, programs[index] ?? ""]));
  assert.ok(configuration.includes("/path/to/mm-repl"));
  await using sandbox = await openSandbox({
    ...files,
    "deno.json": configuration.replace("/path/to/mm-repl", ROOT),
  });
  const bin = `${sandbox.home}/bin`;
  await Deno.mkdir(bin);
  const words = MAIN_COMMAND.map((word) => `'${word}'`).join(" ");
  await Deno.writeTextFile(`${bin}/mm`, `#!/bin/sh\nexec ${words} agent\n`, { mode: 0o755 });
  const deno = async (command: string, ...args: readonly string[]) => {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [command, ...args],
      cwd: sandbox.project,
      clearEnv: true,
      env: { ...sandbox.env, PATH: `${bin}:${sandbox.env.PATH}`, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assert.ok(success, decoder.decode(stderr));
    return decoder.decode(stdout);
  };
  // With the compiler options that Deno has by itself: those of the library are not its user's.
  await deno("check", ...names);
  for (const [index, [argument, prints]] of RUNS.entries()) {
    assert.match(await deno("run", "-A", names[index] ?? "", argument), prints);
  }
});
