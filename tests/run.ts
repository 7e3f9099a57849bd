/**
 * `deno task test`: the checks and all tests, one after the other, with one count at the end.
 *
 * A check that fails counts as one failed test; the tests run all the same.
 *
 * @module
 */

const CHECKS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["format", ["fmt", "--check", "--quiet"]],
  ["lint", ["lint", "--quiet"]],
  ["types", ["check", "--quiet", "main.ts", "src", "tools", "tests", "bench"]],
];

const deno = Deno.execPath();
let passed = 0;
let failed = 0;

for (const [name, args] of CHECKS) {
  const { success } = await new Deno.Command(deno, { args: [...args] }).spawn().status;
  say(`${name} ... ${success ? "ok" : "FAILED"}`);
  if (success) passed++;
  else failed++;
}

const tests = new Deno.Command(deno, {
  args: ["test", "-A", "--no-check", "--parallel", ...Deno.args],
  env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "2", NO_COLOR: "1" },
  stdout: "piped",
}).spawn();

let output = "";
for await (const text of tests.stdout.pipeThrough(new TextDecoderStream())) {
  output += text;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
const { success } = await tests.status;
const summary = output.matchAll(/^(?:ok|FAILED) \| (\d+) passed[^|]*\| (\d+) failed/gm).toArray()
  .at(-1);
passed += Number(summary?.[1] ?? 0);
failed += Number(summary?.[2] ?? 0);
// A run that ended without a summary, or with an error outside any test, has failed all the same.
if (!success && Number(summary?.[2] ?? 0) === 0) failed++;

say(`\n${passed} passed, ${failed} failed`);
Deno.exitCode = failed === 0 ? 0 : 1;

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
