import assert from "node:assert/strict";

const MODULE = new URL("../../src/cli/library_console.ts", import.meta.url).href;

Deno.test("silenceConsole() keeps the console off the terminal and gives its text to the listener", async () => {
  const script = `
    const { onConsoleText, silenceConsole } = await import(${JSON.stringify(MODULE)});
    silenceConsole();
    console.error("before anybody listens");
    const texts = [];
    onConsoleText((text) => texts.push(text));
    console.error("Got response to unknown request", { id: 7 });
    for (const write of [console.log, console.warn, console.info, console.debug]) write("x");
    console.table([1]);
    console.trace("y");
    console.log("long ".repeat(10_000));
    const told = [texts.length, texts[0], texts[1], Math.max(...texts.map((t) => t.length))];
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(told)));`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.equal(decode(stderr), "");
  assert.deepEqual(JSON.parse(decode(stdout)), [
    8,
    "Got response to unknown request { id: 7 }",
    "x",
    2_000,
  ]);
});
