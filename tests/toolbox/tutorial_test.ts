import assert from "node:assert/strict";
import { join } from "node:path";
import { MAIN, ROOT } from "../support/project.ts";
import { openSandbox } from "../support/run_main.ts";

/** The fenced blocks of a document, in order. */
function blocksOf(markdown: string): { readonly language: string; readonly text: string }[] {
  return markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
    .map(([, language = "", text = ""]) => ({ language, text }))
    .toArray();
}

/** What each command of the tutorial prints. */
const PRINTS: readonly RegExp[] = [
  /Wrote .*greet\.ts/,
  /the model sees client_greet[\s\S]*1 tool, 0 problems/,
  /greet/,
  /^Hello, you\.$/m,
  /greet\.ts was changed[\s\S]*now also asks for read \./,
  /^16 lines$/m,
];

Deno.test("every command of the tutorial does what it says", async () => {
  await using sandbox = await openSandbox();
  const tutorial =
    (await Deno.readTextFile(`${ROOT}/docs/tools.md`)).split("## What a tool file")[0];
  const printed: string[] = [];
  for (const { language, text } of blocksOf(tutorial ?? "")) {
    if (language === "ts") {
      await Deno.writeTextFile(join(sandbox.project, "tools/greet.ts"), text);
      continue;
    }
    for (const line of text.trim().split("\n")) {
      const command = line.replace(/^mm-repl /, `deno run -A '${MAIN}' `);
      assert.notEqual(command, line, "every command is mm-repl's");
      const { success, stdout, stderr } = await new Deno.Command("sh", {
        args: ["-c", command],
        cwd: sandbox.project,
        clearEnv: true,
        env: { ...sandbox.env },
        stdin: "null",
      }).output();
      const output = new TextDecoder().decode(stdout);
      assert.ok(success, `${line}\n${output}${new TextDecoder().decode(stderr)}`);
      printed.push(output);
    }
  }
  assert.equal(printed.length, PRINTS.length);
  for (const [index, pattern] of PRINTS.entries()) assert.match(printed[index] ?? "", pattern);
});
