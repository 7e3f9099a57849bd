import assert from "node:assert/strict";
import { call, startInnerRing, textOf, tool, Workshop } from "./workshop.ts";

const WITH_ZOD = `
import { z } from "zod";
import { defineTool } from "@mm/repl/tool";

export default defineTool({
  description: "Checked by zod.",
  inputSchema: z.object({
    path: z.string().describe("Where"),
    depth: z.coerce.number().default(3),
    even: z.number().refine((n) => n % 2 === 0, "must be even").optional(),
  }),
  handler: ({ path, depth }) => ({ path, depth: depth + 1 }),
});`;

Deno.test("@mm/repl/tool always resolves, with and without a deno.json beside the tool", async () => {
  const source = `import { defineTool } from "@mm/repl/tool";
    export default defineTool({ description: "x", handler: () => "defined" });`;
  const configs = [undefined, "{}", `{ "imports": { "@mm/repl/tool": "./nowhere.ts" } }`];
  for (const startHost of [undefined, startInnerRing]) {
    for (const config of configs) {
      await using workshop = new Workshop({ "defined.ts": source });
      if (config !== undefined) workshop.write("deno.json", config);
      const toolbox = await workshop.open(startHost === undefined ? {} : { startHost });
      assert.deepEqual(toolbox.problems, []);
      assert.equal(textOf(await call(toolbox, "defined")), "defined");
    }
  }
});

Deno.test("bare imports resolve from the directory's own deno.json", async () => {
  await using workshop = new Workshop({
    "deno.jsonc": `\uFEFF{
      // Comments are fine.
      "imports": { "words/": "./lib/", "word": "./lib/word.ts" },
      "scopes": { "./lib/": { "other": "./lib/other.ts" } },
    }`,
    "lib/word.ts": `export { other as word } from "other";`,
    "lib/other.ts": `export const other = "resolved";`,
    "both.ts": `import { word } from "word"; import { other } from "words/other.ts";
      ${tool("return word + other;")}`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, []);
  assert.equal(textOf(await call(toolbox, "both")), "resolvedresolved");
});

Deno.test("a deno.json that is broken is reported with its line, and does no other harm", async () => {
  await using workshop = new Workshop({
    "good.ts": tool(`return "good";`),
    "deno.json": `{\n  "imports": {\n    "a" "b"\n  }\n}`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, [{
    file: `${workshop.tools}/deno.json`,
    line: 3,
    reason: "is not valid JSON: ColonExpected",
  }]);
  assert.equal(textOf(await call(toolbox, "good")), "good");
});

Deno.test("a zod schema describes, validates and converts the arguments", async () => {
  await using workshop = new Workshop({
    "zodded.ts": WITH_ZOD,
    "deno.json": `{ "imports": { "zod": "npm:zod@4.6.7" } }`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, []);
  const [description] = toolbox.descriptions();
  const properties = description?.inputSchema?.properties as Record<string, unknown>;
  assert.deepEqual(properties.path, { type: "string", description: "Where" });
  assert.equal(textOf(await call(toolbox, "zodded", { path: "x" })), '{"path":"x","depth":4}');
  assert.match(
    textOf(await call(toolbox, "zodded", { path: 1 })),
    /^failed: zodded was not called, its arguments are wrong: "path" must be string$/,
  );
  assert.equal(
    textOf(await call(toolbox, "zodded", { path: "x", even: 3 })),
    "failed: zodded was not called, its arguments are wrong: even: must be even",
  );
});

Deno.test("plain exports, an array and named exports all give tools", async () => {
  await using workshop = new Workshop({
    "plain.ts": tool(`return "plain";`),
    "fn.ts": `export const description = "x"; export default () => "fn";`,
    "several.ts": `
      export const add = { description: "x", handler: () => "add" };
      const list = { name: "several_list", description: "x", handler: () => "list" };
      export default [add, list];
      export const third = { description: "x", handler: () => "third" };
      export const helper = { not: "a tool" };`,
    "legacy.mts": tool(`return "mts";`),
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, []);
  const names = ["add", "fn", "legacy", "plain", "several_list", "third"];
  assert.deepEqual(toolbox.tools.map(({ name }) => name), names);
  const texts = await Promise.all(names.map(async (name) => textOf(await call(toolbox, name))));
  assert.deepEqual(texts, ["add", "fn", "mts", "plain", "list", "third"]);
});
