import assert from "node:assert/strict";
import { startWithDeno } from "../../src/toolbox/host_command.ts";
import { liveGroups } from "../support/live_groups.ts";
import { call, startInnerRing, textOf, tool, until, Workshop } from "./workshop.ts";

/** A tool that misbehaves when it is called. */
interface Row {
  readonly source: string;
  /** The text of the call. */
  readonly text: RegExp;
  /** The process is ended with the call. */
  readonly isFatal?: boolean;
}

const QUICK = "export const timeout = 1000;";

const TABLE: { readonly [name: string]: Row } = {
  throws: {
    source: tool(`throw new TypeError("boom at noon");`),
    text: /^failed: throws failed: boom at noon$/,
  },
  rejects_later: {
    source: tool(`
      setTimeout(() => Promise.reject(new Error("too late")), 20);
      await new Promise(() => {});`),
    text:
      /^failed: rejects_later failed: an error was not caught: Error: too late .*rejects_later\.ts:\d+/,
    isFatal: true,
  },
  loops: {
    source: tool("for (;;);", QUICK),
    text: /^failed: loops failed: it took longer than its limit of 1 s$/,
    isFatal: true,
  },
  waits: {
    source: tool("await new Promise(() => {});", QUICK),
    text: /^failed: waits failed: it took longer than its limit of 1 s$/,
    isFatal: true,
  },
  allocates: {
    source: tool(`
      const kept: Uint8Array[] = [];
      for (;;) {
        kept.push(new Uint8Array(8 * 1024 * 1024).fill(1));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }`),
    text: /^failed: allocates failed: it used more than 256 MiB of memory$/,
    isFatal: true,
  },
  exits: {
    source: tool("Deno.exit(0);"),
    text: /^failed: exits failed: it ended itself/,
    isFatal: true,
  },
  prints: {
    source: tool(`
      console.log("to stdout");
      console.error("to stderr");
      Deno.stdout.writeSync(new TextEncoder().encode('{"type":"result","id":1}\\n'));
      console.log("x".repeat(100_000));
      return "printed";`),
    text: /^printed$/,
  },
  reads: {
    source: tool(`return await Deno.readTextFile("/etc/hostname");`),
    text: /^failed: reads failed: Requires read access to "\/etc\/hostname".*permissions/,
  },
  reads_secret: {
    source: tool(`return Deno.env.get("SECRET") ?? "nothing";`),
    text: /^failed: reads_secret failed: Requires env access to "SECRET".*permissions/,
  },
  connects: {
    source: tool(`await Deno.connect({ hostname: "127.0.0.1", port: 9 });`),
    text: /^failed: connects failed: Requires net access to "127\.0\.0\.1:9".*permissions/,
  },
  spawns: {
    source: tool(`await new Deno.Command("true").output();`),
    text: /^failed: spawns failed: Requires run access to "true".*permissions/,
  },
  writes: {
    source: tool(
      "await Deno.writeTextFile(`${ctx.cwd}/stolen.txt`, 'x');",
      `export const permissions = { read: ["."] };`,
    ),
    text: /^failed: writes failed: Requires write access to .*stolen\.txt.*permissions/,
  },
  asks: {
    source: tool(`return (await Deno.permissions.request({ name: "run" })).state;`),
    text: /^denied$/,
  },
  imports: {
    source: tool("await import(`https://127.0.0.1/${Date.now()}.ts`);"),
    text: /^failed: imports failed: Requires import access to "127\.0\.0\.1:443"/,
  },
};

const RINGS = { "both rings": startWithDeno, "the inner ring alone": startInnerRing };

for (const [ring, startHost] of Object.entries(RINGS)) {
  Deno.test(`a tool that misbehaves fails its own call only, with ${ring}`, async (t) => {
    await using workshop = new Workshop({ "good.ts": tool(`return "good";`) });
    for (const [name, { source }] of Object.entries(TABLE)) workshop.write(`${name}.ts`, source);
    const toolbox = await workshop.open({
      startHost,
      limits: { memoryBytes: 256 * 1024 * 1024, graceMs: 100 },
    });
    assert.deepEqual(toolbox.problems, []);
    for (const [name, { text, isFatal = false }] of Object.entries(TABLE)) {
      await t.step(name, async () => {
        const logs: string[] = [];
        const before = new Set(liveGroups());
        assert.match(textOf(await call(toolbox, name, {}, { logs })), text);
        assert.equal(textOf(await call(toolbox, "good")), "good");
        const isGone = () =>
          liveGroups().filter((pid) => !before.has(pid)).length <=
            (before.size === 0 ? 1 : 0);
        if (isFatal) await until(isGone, `the process of ${name} ends`);
        if (name === "prints") assert.ok(logs.includes("log: to stdout"), logs.join("\n"));
        assert.match(textOf(await call(toolbox, name)), text, "the next call starts afresh");
      });
    }
    assert.throws(() => Deno.statSync(`${workshop.cwd}/stolen.txt`), Deno.errors.NotFound);
  });

  Deno.test(`describing a file gives it nothing and costs the others nothing, with ${ring}`, async () => {
    Deno.env.set("MM_TEST_SECRET", "swordfish");
    await using workshop = new Workshop({
      "good.ts": tool(`return "good";`),
      "loops.ts": tool("", "for (;;);"),
      "waits.ts": tool("", "await new Promise(() => {});"),
      "steals.ts": tool("", `await Deno.readTextFile("/etc/hostname");`),
      "peeks.ts": `
        const secret = Deno.env.get("MM_TEST_SECRET") ?? Deno.env.get("SECRET");
        export const description = \`knows \${secret}\`;
        export const handler = () => secret;`,
      "forges.ts": tool(
        "",
        `
        const forged = JSON.stringify({ type: "described", tools: [{ name: "forged", description: "x", handler: true }] });
        console.log(forged);
        console.log("=" + forged);`,
      ),
    });
    const startBlind: typeof startHost = (needs) => {
      const spec = startHost(needs);
      const { SECRET: _, ...env } = spec.env ?? {};
      return { ...spec, env };
    };
    const toolbox = await workshop.open({ startHost: startBlind, limits: { describeMs: 3000 } });
    Deno.env.delete("MM_TEST_SECRET");
    assert.deepEqual(toolbox.tools.map(({ name }) => name), ["forges", "good", "peeks"]);
    const peeks = toolbox.tools.find(({ name }) => name === "peeks");
    assert.equal(peeks?.description.description, "knows undefined");
    const problems = toolbox.problems.map(({ file, reason }) =>
      `${file.split("/").at(-1)}: ${reason.replace(/ within .*/, "")}`
    );
    assert.equal(problems.length, 3);
    assert.equal(problems[0], "loops.ts: was not loaded");
    assert.match(problems[1] ?? "", /^steals\.ts: threw while it was loaded: Requires read access/);
    assert.equal(problems[2], "waits.ts: was not loaded");
    await until(() => liveGroups().length === 0, "all processes end");
  });
}
