import assert from "node:assert/strict";
import { join } from "node:path";
import { DirectoryIndex } from "../../src/toolbox/directory_index.ts";
import { openToolbox } from "../../src/toolbox/open_toolbox.ts";
import { loadToolFiles, sourceKey } from "../../src/toolbox/tool_files.ts";
import { call, textOf, tool, Workshop } from "./workshop.ts";

/** Files that cannot be offered, with what is said about each. */
const BAD: { readonly [name: string]: readonly [source: string, reason: RegExp] } = {
  "syntax.ts": ["export const x: = 1;\n", /^1:17: .*[Ee]xpect/],
  "throws.ts": [
    `\n\nthrow new Error("no luck");\nexport const handler = 1;`,
    /^3:7: threw while it was loaded: no luck$/,
  ],
  "throws_string.ts": [`throw "a string"; export {};`, /^threw while it was loaded: a string$/],
  "missing_import.ts": [
    `import { x } from "./nowhere.ts";\nexport const handler = () => x;`,
    /^1:19: .*nowhere\.ts/,
  ],
  "bare_import.ts": [
    `import { x } from "nowhere";\nexport const handler = () => x;`,
    /^1:19: .*"?nowhere"?/,
  ],
  "broken_helper.ts": [
    `import { x } from "./_broken.ts";\nexport const handler = () => x;`,
    /_broken\.ts:2/,
  ],
  "exits.ts": [`Deno.exit(0);\nexport const handler = () => 1;`, /^it ended itself/],
  "rejects.ts": [
    `Promise.reject(new Error("nobody listens"));\nawait new Promise((done) => setTimeout(done, 200));\nexport const handler = () => 1;`,
    /^an error was not caught: Error: nobody listens/,
  ],
  "empty.ts": ["", /^exports no tool/],
  "no_description.ts": ["export function handler() {}", /^has no description/],
  "no_handler.ts": [`export default { description: "x" };`, /^has no handler/],
  "no_name.ts": [tool("", `export const name = " ";`), /^its name is empty$/],
  "long_name.ts": [
    tool("", `export const name = "n".repeat(300);`),
    /^its name is too long: it has 300 characters/,
  ],
  "longish_name.ts": [
    tool("", `export const name = "n".repeat(60);`),
    /^its name is too long: the model would see 67 characters/,
  ],
  "hidden_name.ts": [
    tool("", `export const name = "safe\\u202Ename";`),
    /^its name has invisible characters$/,
  ],
  "strange_name.ts": [tool("", `export const name = "日本";`), /^its name has no letter/],
  "array_schema.ts": [
    tool("", `export const inputSchema = { type: "array" };`),
    /^inputSchema\.type must be "object", got "array"$/,
  ],
  "lost_reference.ts": [
    tool("", `export const inputSchema = { properties: { a: { $ref: "#/$defs/nowhere" } } };`),
    /^inputSchema is not a valid JSON Schema: .*nowhere/,
  ],
  "wrong_type.ts": [
    tool("", `export const inputSchema = { type: "object", properties: { a: { type: "text" } } };`),
    /^inputSchema is not a valid JSON Schema/,
  ],
  "cyclic.ts": [
    `const tool: Record<string, unknown> = { description: "x", handler() {} };
     tool.inputSchema = { type: "object", self: tool };
     tool.inputSchema.self = tool.inputSchema;
     export default tool;`,
    /circular/,
  ],
  "getter.ts": [
    `export default { get description() { throw new Error("no peeking"); }, handler() {} };`,
    /no peeking/,
  ],
  "permission_kind.ts": [
    tool("", `export const permissions = { red: true };`),
    /^permissions\.red is not one of read, write/,
  ],
  "permission_value.ts": [
    tool("", `export const permissions = { read: "." };`),
    /^permissions\.read is neither true, false nor a list of strings$/,
  ],
  "timeout.ts": [tool("", `export const timeout = "soon";`), /^timeout is not a number/],
  "unnamed_pair.ts": [
    `const a = { description: "a", handler() {} };
     const b = { name: "pair_b", description: "b", handler() {} };
     export default [a, b];`,
    /^tool 1: has no name$/,
  ],
  "big.ts": [`// ${"x".repeat(5 * 1024 * 1024)}\n`, /^has 5\.0 MB; a tool file may have 1 MB$/],
  "dup.ts": [
    tool("", `export const name = "good";`),
    /^its tool "good" would be client_good to the model, as is "good" of good\.ts$/,
  ],
  "collides.ts": [
    tool("", `export const name = "good!";`),
    /^its tool "good!" would be client_good/,
  ],
};

Deno.test("each bad file is reported once, with its reason, and costs the others nothing", async (t) => {
  await using workshop = new Workshop({
    "good.ts": tool(`return "good";`),
    "_broken.ts": "\nexport const x: = 2;",
    "notes.md": "# no tool",
    "_helper.ts": "throw new Error('never loaded by itself');",
    ".hidden.ts": "throw new Error('never loaded');",
    "good_test.ts": "throw new Error('never loaded');",
    "types.d.ts": "export type X = 1;",
    "sub/inner.ts": "throw new Error('never loaded');",
    "folder.ts/x.md": "a directory",
  });
  for (const [name, [source]] of Object.entries(BAD)) workshop.write(name, source);
  Deno.symlinkSync("/nowhere/at/all.ts", join(workshop.tools, "dangling.ts"));
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good", "pair_b"]);
  assert.equal(textOf(await call(toolbox, "good")), "good");
  const reasons = new Map<string, string[]>();
  for (const { file, line, column, reason } of toolbox.problems) {
    const name = file.slice(workshop.tools.length + 1);
    const place = line === undefined ? "" : `${line}:${column}: `;
    reasons.set(name, [...reasons.get(name) ?? [], `${place}${reason}`]);
  }
  const expected = {
    ...Object.fromEntries(Object.entries(BAD).map(([name, [, reason]]) => [name, reason])),
    "folder.ts": /^is a directory, not a file$/,
    "dangling.ts": /^is a link to nothing$/,
  };
  for (const [name, pattern] of Object.entries(expected)) {
    await t.step(name, () => {
      assert.equal(reasons.get(name)?.length, 1, String(reasons.get(name)));
      assert.match(reasons.get(name)?.[0] ?? "", pattern);
    });
  }
  assert.deepEqual([...reasons.keys()].filter((name) => !(name in expected)), []);
});

Deno.test("every problem of a file is told at once, with the values that would do", async () => {
  await using workshop = new Workshop({
    "many.ts": `export default {
      descripton: "x",
      permissions: { reed: true },
      inputSchema: { type: "object", properties: { a: { type: "strng" }, b: { required: 1 } } },
      timeout: "soon",
      handler() {},
    };`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools, []);
  assert.deepEqual(toolbox.problems.map(({ reason }) => reason), [
    "has no description: the model needs one to know when to call it",
    "timeout is not a number of milliseconds",
    'inputSchema is not a valid JSON Schema: "properties.a.type" is "strng" and must be one of ' +
    "array, boolean, integer, null, number, object, string; " +
    'did you mean "string"?; "properties.b.required" must be array',
    'permissions.reed is not one of read, write, net, env, run, sys, ffi; did you mean "read"?',
    '"descripton" is not a field of a tool and does nothing; did you mean "description"?',
  ]);
});

Deno.test("fields that mean nothing are told, also from the cache, and cost no tool its place", async () => {
  await using workshop = new Workshop({
    "object.ts": `export default {
      description: "x", permision: { net: true }, timout: 5, annotations: {}, handler() {},
    };`,
    "module.ts": tool("", `export const permision = {};\nexport const settings = 1;`),
    "whole.ts": tool("", `export const timeout = 5;\nexport const timeouts = [1];`),
  });
  for (const reading of ["fresh", "cached"]) {
    const toolbox = await workshop.open();
    assert.deepEqual(toolbox.tools.map(({ name }) => name), ["module", "object", "whole"], reading);
    const told = toolbox.problems.map((
      { file, reason, harmless },
    ) => [file.slice(workshop.tools.length + 1), reason.split(" is not a field")[0], harmless]);
    assert.deepEqual(told, [
      ["module.ts", '"permision"', true],
      ["object.ts", '"permision"', true],
      ["object.ts", '"timout"', true],
      ["object.ts", '"annotations"', true],
    ], reading);
    assert.match(toolbox.problems[0]?.reason ?? "", /did you mean "permissions"\?$/);
    assert.match(
      toolbox.problems[3]?.reason ?? "",
      /the fields are name, description, inputSchema/,
    );
  }
});

Deno.test("a tool file below a commonjs package is a module all the same", async () => {
  await using workshop = new Workshop({
    "../package.json": `{"type":"commonjs"}`,
    "package.json": `{"type":"commonjs"}`,
    "_helper.ts": "export const word: string = await Promise.resolve('helped');",
    "modern.ts": `import { word } from "./_helper.ts";\n${tool("return word;")}`,
  });
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, []);
  assert.equal(textOf(await call(toolbox, "modern")), "helped");
});

Deno.test("a link out of a project's tools is reported and cannot be read through", async () => {
  await using workshop = new Workshop({
    "../outside/secret.txt": "swordfish",
    "../outside/tool.ts": tool(`return "from outside";`),
    "_inside.ts": `export const word = "inside";`,
    "good.ts": `import { word } from "./_inside.ts";\n${
      tool("return word + await Deno.readTextFile(new URL('./secret.txt', import.meta.url));")
    }`,
    "fine.ts": tool(`return "fine";`),
  });
  const outside = join(workshop.cwd, "outside");
  Deno.symlinkSync(join(outside, "tool.ts"), join(workshop.tools, "linked.ts"));
  Deno.symlinkSync(join(outside, "secret.txt"), join(workshop.tools, "secret.txt"));
  Deno.symlinkSync(outside, join(workshop.tools, "folder"));
  Deno.symlinkSync(join(workshop.tools, "fine.ts"), join(workshop.tools, "again.ts"));
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.tools.map(({ name }) => name), ["again", "fine", "good"]);
  assert.deepEqual(
    toolbox.problems.map(({ file, reason }) =>
      `${file.slice(workshop.tools.length + 1)} ${reason}`
    ),
    ["folder", "linked.ts", "secret.txt"].map((name) =>
      `${name} is a link out of the tool directory`
    ),
  );
  assert.match(textOf(await call(toolbox, "good")), /^failed: good failed: Requires read access/);
  assert.equal(textOf(await call(toolbox, "again")), "fine");
});

Deno.test("the user's own directory may hold links to tools kept elsewhere", async () => {
  await using workshop = new Workshop({ "../dotfiles/mine.ts": tool(`return "mine";`) });
  Deno.symlinkSync(join(workshop.cwd, "dotfiles/mine.ts"), join(workshop.tools, "mine.ts"));
  const toolbox = await workshop.open({
    directories: [{ path: workshop.tools, origin: "user" }],
    trustAll: false,
  });
  assert.deepEqual(toolbox.problems, []);
  assert.equal(textOf(await call(toolbox, "mine")), "mine");
});

Deno.test("openToolbox() takes a directory that is not there for an empty one", async () => {
  await using workshop = new Workshop();
  await Deno.remove(workshop.tools);
  const toolbox = await workshop.open();
  assert.deepEqual([toolbox.tools, toolbox.problems, toolbox.untrusted], [[], [], []]);
});

Deno.test("openToolbox() reports a file in the place of the directory", async () => {
  await using workshop = new Workshop();
  await Deno.remove(workshop.tools);
  await Deno.writeTextFile(workshop.tools, "not a directory");
  const toolbox = await workshop.open();
  assert.deepEqual(toolbox.problems, [{ file: workshop.tools, reason: "is not a directory" }]);
});

Deno.test({
  name: "unreadable files and directories are reported",
  ignore: Deno.uid() === 0,
  async fn() {
    await using workshop = new Workshop({ "good.ts": tool(""), "secret.ts": tool("") });
    await Deno.chmod(join(workshop.tools, "secret.ts"), 0);
    const toolbox = await workshop.open();
    assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good"]);
    assert.match(toolbox.problems[0]?.reason ?? "", /^cannot be read: permission denied$/);
    await Deno.chmod(workshop.tools, 0);
    await toolbox.reload();
    assert.match(toolbox.problems[0]?.reason ?? "", /^cannot be read: permission denied$/);
    await Deno.chmod(workshop.tools, 0o700);
  },
});

Deno.test("openToolbox() opens a thousand files from its cache", async () => {
  await using workshop = new Workshop();
  for (let n = 0; n < 1000; n++) workshop.write(`tool_${n}.ts`, tool(`return ${n};`));
  const options = workshop.options({ trustAll: true });
  const files = loadToolFiles(workshop.directory);
  const described = files.candidates.map((name) => {
    const tools = [{ name: name.replace(".ts", ""), description: "x", handler: true }];
    return [name, { key: sourceKey(files, name), tools }] as const;
  });
  const index = new DirectoryIndex(options.cacheDir, workshop.tools);
  await index.save(files.files, new Map(described));
  const toolbox = await openToolbox(options);
  assert.equal(toolbox.tools.length, 1000);
  assert.equal(textOf(await call(toolbox, "tool_777")), "777");
  await toolbox.close();
});

Deno.test("files that never end loading cost the start less each time, and are tried again", async () => {
  const files = Object.fromEntries(
    Array.from(
      { length: 5 },
      (_, n) => [`hangs_${n}.ts`, tool("", "await new Promise(() => {});")],
    ),
  );
  await using workshop = new Workshop({ ...files, "good.ts": tool(`return "good";`) });
  const limits = async () => {
    const toolbox = await workshop.open({ limits: { describeMs: 1_500 } });
    assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good"]);
    return toolbox.problems.map(({ reason }) => /within (\S+) s/.exec(reason)?.[1]);
  };
  const first = await limits();
  assert.ok(first.includes("1.5") && first.includes("1"), String(first));
  assert.deepEqual(await limits(), ["1", "1", "1", "1", "1"]);
  workshop.write("hangs_0.ts", tool(`return "no more";`));
  const toolbox = await workshop.open({ limits: { describeMs: 1_500 } });
  assert.deepEqual(toolbox.tools.map(({ name }) => name), ["good", "hangs_0"]);
});

Deno.test("openToolbox() says that it takes long, with the number of files to be loaded", async () => {
  await using workshop = new Workshop({
    "good.ts": tool(""),
    "hangs.ts": tool("", "await new Promise(() => {});"),
  });
  const counts: number[] = [];
  const onLong = (files: number) => counts.push(files);
  await workshop.open({ onLong, limits: { describeMs: 500, longMs: 100 } });
  assert.deepEqual(counts, [2]);
  await workshop.open({ onLong, limits: { describeMs: 500, longMs: 60_000 } });
  assert.deepEqual(counts, [2]);
});
