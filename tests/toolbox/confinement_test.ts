/** What tool files must not reach: the program, other tool files, and what nobody agreed to. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { reportTrust } from "../../src/toolbox/trust_report.ts";
import { startWithDeno } from "../../src/toolbox/host_command.ts";
import { liveGroups } from "../support/live_groups.ts";
import { call, isAlive, startInnerRing, textOf, tool, until, Workshop } from "./workshop.ts";

const HOST = new URL("../../src/toolbox/host/", import.meta.url).href;

Deno.test("a file that tampers with what describes it costs nobody else anything", async () => {
  await using workshop = new Workshop({
    "good.ts": tool(`return "good";`),
    "no_json.ts": `JSON.parse = () => null; ${tool("")}`,
    "no_list.ts": `Array.prototype.map = () => 5 as unknown as never[]; ${tool("")}`,
    "odd.ts": `JSON.parse = () => ({ name: ["x"], handler: 1, inputSchema: 7 }); ${tool("")}`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good"]);
  assert.deepEqual(
    toolbox.problems.map(({ file, reason }) => `${file.split("/").at(-1)}: ${reason}`),
    [
      "no_json.ts: it says what cannot be understood",
      "no_list.ts: it says what cannot be understood",
      "odd.ts: has no name",
      "odd.ts: has no handler function",
      "odd.ts: has no description: the model needs one to know when to call it",
      "odd.ts: inputSchema is not an object",
    ],
  );
  assert.equal(textOf(await call(toolbox, "good")), "good");
});

Deno.test("a directory's imports hold for its own modules, not for those that run them", async () => {
  await using workshop = new Workshop({
    "_evil.ts": `
      export class Ajv { compile() { return () => true; } }
      export const Ajv2020 = Ajv;
      export async function* readLines() {}
      export const dirname = () => "evil";`,
    "strict.ts": tool(
      "return dirname();",
      `
      import { dirname } from "node:path";
      export const inputSchema = { required: ["needed"] };`,
    ),
    "deno.json": JSON.stringify({
      imports: { "node:path": "./_evil.ts", [`${HOST}lines.ts`]: "./_evil.ts" },
      scopes: { [HOST]: { "ajv": "./_evil.ts", "ajv/dist/2020.js": "./_evil.ts" } },
    }),
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, [{
    file: join(workshop.tools, "deno.json"),
    reason: `scopes: "${HOST}" is not below the tool directory`,
  }]);
  assert.match(textOf(await call(toolbox, "strict")), /"needed" is missing$/);
  assert.equal(textOf(await call(toolbox, "strict", { needed: 1 })), "evil");
});

Deno.test("the import map of a directory is a file of it, which the user has agreed to", async () => {
  for (const importMap of ["../map.json", "https://example.com/map.json", 5, "./nowhere.json"]) {
    await using workshop = new Workshop({
      "../map.json": "{}",
      "good.ts": tool(`return "good";`),
      "deno.json": JSON.stringify({ importMap }),
    });
    const toolbox = await workshop.open();
    assert.deepEqual(toolbox.problems.map(({ reason }) => reason), [
      `importMap: ${JSON.stringify(importMap)} is not a file of the tool directory`,
    ]);
    assert.equal(textOf(await call(toolbox, "good")), "good");
  }
});

Deno.test("imports that mean nothing are reported and cost nothing else", async () => {
  await using workshop = new Workshop({
    "good.ts": `import { word } from "word"; ${tool("return word;")}`,
    "_word.ts": `export const word = "word";`,
    "deno.json": JSON.stringify({
      imports: { word: "./_word.ts", bad: "//[", number: 1 },
      scopes: { "http://[": {}, "./sub/": 7 },
    }),
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems.map(({ reason }) => reason), [
    `imports: "bad" does not say where its module is`,
    `imports: "number" does not say where its module is`,
    `scopes: "http://[" is not below the tool directory`,
    `scopes: "./sub/" is not an object`,
  ]);
  assert.equal(textOf(await call(toolbox, "good")), "word");
});

Deno.test("what changes without a question is not there for tools: .git, by whatever path", async () => {
  await using workshop = new Workshop({
    ".git/lib.ts": `export const word = "not agreed to";`,
    "lib/.git/lib.ts": `export const word = "not agreed to";`,
    "lib/fine.ts": `export const word = "fine";`,
    "fine.ts": `import { word } from "./lib/fine.ts"; ${tool("return word;")}`,
    "reads.ts": tool("return await Deno.readTextFile(new URL('./.git/lib.ts', import.meta.url));"),
    "imports.ts": `import { word } from "./.git/lib.ts"; ${tool("return word;")}`,
    "imports_below.ts": `import { word } from "./lib/.git/lib.ts"; ${tool("return word;")}`,
    "imports_by_link.ts": `import { word } from "./alias/lib.ts"; ${tool("return word;")}`,
  });
  Deno.symlinkSync(join(workshop.tools, ".git"), join(workshop.tools, "alias"));
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools.map(({ name }) => name), ["fine", "reads"]);
  assert.equal(textOf(await call(toolbox, "fine")), "fine");
  assert.match(textOf(await call(toolbox, "reads")), /^failed: reads failed: Requires read access/);
});

Deno.test("a link out of a large directory leaves the rest of it usable", async () => {
  await using workshop = new Workshop({ "good.ts": tool(`return "good";`) });
  for (let n = 0; n < 3_000; n++) workshop.write(`a_rather_long_name_of_some_data_${n}.txt`, "");
  Deno.symlinkSync("/etc/hostname", join(workshop.tools, "link"));
  const toolbox = await workshop.open();
  assert.equal(textOf(await call(toolbox, "good")), "good");
});

Deno.test("whatever changes the digest of a directory is named, and can be agreed to", async () => {
  await using workshop = new Workshop({ "good.ts": tool(`return "good";`) });
  const options = workshop.options();
  await (await reportTrust(workshop.tools, options)).agree();
  Deno.symlinkSync("/nowhere", join(workshop.tools, "constructor"));
  const report = await reportTrust(workshop.tools, options);
  assert.equal(report.state, "changed");
  assert.deepEqual(report.request.changes, ["constructor was added"]);
  await report.agree();
  const toolbox = await workshop.open({ trustAll: false });
  assert.deepEqual(toolbox.untrusted, []);
  assert.equal((await reportTrust(workshop.tools, options)).state, "trusted");
});

Deno.test("a directory that is the user's own by another path is loaded once, as the user's own", async () => {
  await using workshop = new Workshop({ "good.ts": tool(`return "good";`) });
  Deno.symlinkSync(workshop.tools, join(workshop.cwd, "alias"));
  const toolbox = await workshop.open({
    trustAll: false,
    directories: [
      { path: join(workshop.cwd, "alias"), origin: "project" },
      { path: workshop.tools, origin: "user" },
    ],
  });
  assert.deepEqual([toolbox.problems, toolbox.untrusted], [[], []]);
  assert.equal(textOf(await call(toolbox, "good")), "good");
});

Deno.test("tools have no storage that outlives them or that another tool can see", async () => {
  const attempt = `await caches.open("x").then(() => "stored", () => "refused")`;
  const nested = "new Worker('data:text/javascript,' + encodeURIComponent(" +
    "`postMessage(${JSON.stringify('x')}.length && await caches.open('x').then(() => 'stored', () => 'refused'))`" +
    "), { type: 'module' })";
  await using workshop = new Workshop({
    "stores.ts": tool(`return ${attempt};`),
    "stores_below.ts": tool(`
      const worker = ${nested};
      return await new Promise((resolve) => worker.onmessage = ({ data }) => resolve(data));`),
    "stores_early.ts": `const early = ${attempt};
      export const description = early;
      export const handler = () => early;`,
  });
  const toolbox = await workshop.open();
  assert.equal(textOf(await call(toolbox, "stores")), "refused");
  assert.equal(textOf(await call(toolbox, "stores_below")), "refused");
  assert.equal(
    toolbox.offered("_org.mini-me.repl/tools/stores_early")?.description.description,
    "refused",
  );
});

Deno.test("permissions that Deno does not take are a problem of the file, found by looking", async () => {
  const grants: Record<string, readonly [grant: string, reason: RegExp]> = {
    url: [`{ net: ["https://example.com/"] }`, /^permissions: .*URLs are not supported/],
    host: [`{ net: ["*"] }`, /^permissions: invalid host/],
    kind: [`{ sys: ["everything"] }`, /^permissions: unknown system info kind/],
    variable: [`{ env: ["A=B"] }`, /^permissions\.env: "A=B" is no name of a variable/],
  };
  await using workshop = new Workshop();
  for (const [name, [grant]] of Object.entries(grants)) {
    workshop.write(`${name}.ts`, tool("", `export const permissions = ${grant};`));
  }
  workshop.write(
    "good.ts",
    tool("", `export const permissions = { net: ["*.example.com:443", "[::1]"], sys: ["uid"] };`),
  );
  for (const startHost of [startWithDeno, startInnerRing]) {
    const cacheDir = join(workshop.home, startHost === startWithDeno ? "cache" : "other_cache");
    const toolbox = await workshop.open({ startHost, cacheDir });
    assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good"]);
    for (const { file, reason } of toolbox.problems) {
      const name = file.slice(workshop.tools.length + 1, -3);
      assert.match(reason, grants[name]?.[1] ?? /never/, name);
    }
    assert.equal(toolbox.problems.length, Object.keys(grants).length);
  }
});

Deno.test("what a tool has started ends with its process, and does not keep its call waiting", async () => {
  await using workshop = new Workshop({
    "leaves.ts": tool(
      `
      const child = new Deno.Command("sleep", { args: ["1000"], stdout: "inherit" }).spawn();
      ctx.progress(String(child.pid));
      await new Promise((resolve) => setTimeout(resolve, 100));
      Deno.kill(Deno.pid, "SIGKILL");
      await new Promise(() => {});`,
      "export const permissions = { run: true };",
    ),
  });
  const toolbox = await workshop.open();
  const logs: string[] = [];
  const result = textOf(await call(toolbox, "leaves", {}, { logs }));
  assert.equal(result, "failed: leaves failed: its process ended (SIGKILL)");
  const child = Number(logs[0]?.replace("progress: ", ""));
  await until(() => !isAlive(child), "the child ends", 2_000);
  await until(() => liveGroups().length === 0, "everything ends", 2_000);
});
