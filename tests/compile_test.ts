/**
 * The single binary, as far as it can be checked without its base, which is downloaded on the
 * user's machine: the build itself, and that what runs tool scripts is embedded.
 *
 * @module
 */

import assert from "node:assert/strict";
import project from "../deno.json" with { type: "json" };
import { ROOT } from "./support/project.ts";

Deno.test("deno task compile embeds the program, the tool host and its worker", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const words = project.tasks.compile.split(" ").slice(1);
    const output = words.indexOf("--output") + 1;
    assert.ok(output > 0);
    words[output] = `${directory}/mm-repl`;
    const build = await new Deno.Command(Deno.execPath(), {
      args: words,
      cwd: ROOT,
      // Any program serves as the base of a binary that is not run.
      env: { DENORT_BIN: "/bin/true", NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const log = new TextDecoder().decode(build.stdout) + new TextDecoder().decode(build.stderr);
    assert.equal(build.code, 0, log);
    for (const file of ["main.ts", "host.ts", "tool_worker.ts", "tool.ts"]) {
      assert.match(log, new RegExp(`[─ ]${file.replace(".", "\\.")} \\(`), `${file} is embedded`);
    }
    for (const front of ["json", "line", "tui"]) {
      assert.match(log, new RegExp(`[─ ]${front}(?:/| \\()`), `the front end ${front} is embedded`);
    }
    assert.ok((await Deno.stat(`${directory}/mm-repl`)).size > 1_000_000);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
