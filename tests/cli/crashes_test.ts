import assert from "node:assert/strict";

const CRASHES = new URL("../../src/cli/crashes.ts", import.meta.url).href;
const STATE = new URL("../../src/cli/terminal_state.ts", import.meta.url).href;

for (
  const [what, code] of [
    ["an error that nobody caught", "throw new Error('boom \\x1b[2J')"],
    ["a rejection that nobody handled", "void Promise.reject(new Error('boom \\x1b[2J'))"],
  ]
) {
  Deno.test(`watchCrashes() ends on ${what}, the terminal first`, async () => {
    const script = `
      const { watchCrashes } = await import(${JSON.stringify(CRASHES)});
      const { onRestoreTerminal } = await import(${JSON.stringify(STATE)});
      onRestoreTerminal(() => Deno.stderr.writeSync(new TextEncoder().encode("restored\\n")));
      const alive = setInterval(() => {}, 1000);
      setTimeout(() => { ${code} });
      Deno.exit(await watchCrashes() + 40);`;
    const { code: status, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stderr);
    assert.equal(status, 41, text);
    assert.match(text, /^restored\n.*fault of mm-repl/);
    assert.match(text, /boom/);
    assert.ok(!text.includes("\x1b"), text);
  });
}
