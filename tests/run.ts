/**
 * `deno task test`: the checks and all tests, one after the other, with one count at the end.
 *
 * A check that fails counts as one failed test; the tests run all the same. Arguments go to
 * `deno test`: `deno task test tests/base`.
 *
 * @module
 */

const CHECKS: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["format", ["fmt", "--check", "--quiet"]],
  ["lint", ["lint", "--quiet"]],
  ["types", ["check", "--quiet", "main.ts", "src", "tools", "tests", "bench"]],
];

/** How long one check may take, in minutes. */
const CHECK_MINUTES = 5;
/** How long all tests may take together, in minutes; several times what a slow machine needs. */
const TEST_MINUTES = 20;

let passed = 0;
let failed = 0;

for (const [name, args] of CHECKS) {
  const { success } = await run(name, args, CHECK_MINUTES);
  say(`${name} ... ${success ? "ok" : "FAILED"}\n`);
  if (success) passed++;
  else failed++;
}

const tests = ["test", "-A", "--no-check", "--parallel", ...Deno.args];
const { success, output } = await run("tests", tests, TEST_MINUTES);
const summary = output.matchAll(/^(?:ok|FAILED) \| (\d+) passed[^|]*\| (\d+) failed/gm).toArray()
  .at(-1);
passed += Number(summary?.[1] ?? 0);
failed += Number(summary?.[2] ?? 0);
// A run that ended without a summary, or with an error outside any test, has failed all the same.
if (!success && Number(summary?.[2] ?? 0) === 0) failed++;

say(`\n${passed} passed, ${failed} failed\n`);
Deno.exitCode = failed === 0 ? 0 : 1;

/** Runs Deno and passes its output on; what has not ended in time is ended and has failed. */
async function run(
  name: string,
  args: readonly string[],
  minutes: number,
): Promise<{ readonly success: boolean; readonly output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "2", NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const timer = setTimeout(() => {
    say(`\n${name}: not at an end after ${minutes} minutes, so ended\n`);
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended, and something that it started holds the output open.
    }
    void reader.cancel();
  }, minutes * 60_000);
  let output = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    output += part.value;
    say(part.value);
  }
  const { success } = await child.status;
  clearTimeout(timer);
  return { success, output };
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
