/**
 * Opens the tools of the current directory and prints how long that took, in milliseconds; what it
 * keeps is kept in `.cache`. Loading the code is not counted, compiling it is: as in a first run.
 *
 * @module
 */

import { openToolbox } from "../../src/toolbox/open_toolbox.ts";

const cwd = Deno.cwd();
const begun = performance.now();
const toolbox = await openToolbox({
  cwd,
  directories: [{ path: `${cwd}/tools`, origin: "project" }],
  trustAll: true,
  cacheDir: `${cwd}/.cache`,
  trustFile: `${cwd}/.cache/trust.json`,
});
const ms = performance.now() - begun;
const [problem] = toolbox.problems;
if (problem !== undefined) throw new Error(`${problem.file}: ${problem.reason}`);
await toolbox.close();
Deno.stdout.writeSync(new TextEncoder().encode(`${ms}\n`));
