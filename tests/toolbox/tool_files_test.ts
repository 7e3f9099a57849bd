import assert from "node:assert/strict";
import { join } from "node:path";
import { DirectoryIndex } from "../../src/toolbox/directory_index.ts";
import { isUnchanged, loadToolFiles, sourceKey } from "../../src/toolbox/tool_files.ts";
import { tool, Workshop } from "./workshop.ts";

/** What a reading of an earlier run may have noted of the files, had they been old enough. */
function noted(workshop: Workshop) {
  const files = loadToolFiles(workshop.directory);
  const known = [...files.files].map(([name, file]) => {
    const info = Deno.lstatSync(join(workshop.tools, name));
    const times = `${info.mtime?.getTime()} ${info.ctime?.getTime()}`;
    return [name, { ...file, stamp: `${info.size} ${times} ${info.ino}` }] as const;
  });
  return { files, known: new Map(known) };
}

Deno.test("a change shows in the digest although size and time of the file are set back", async () => {
  await using workshop = new Workshop({ "a.ts": tool(`return "one";`), "b.ts": tool("") });
  const { files, known } = noted(workshop);
  const path = join(workshop.tools, "a.ts");
  const { mtime } = Deno.statSync(path);
  workshop.write("a.ts", tool(`return "two";`));
  if (mtime !== null) Deno.utimeSync(path, mtime, mtime);
  const now = loadToolFiles(workshop.directory, known);
  assert.notEqual(now.digest, files.digest);
  assert.notEqual(now.seen["a.ts"], files.seen["a.ts"]);
  assert.equal(now.seen["b.ts"], files.seen["b.ts"]);
  assert.ok(!isUnchanged(files, workshop.directory));
});

Deno.test("a tool file that another one mentions counts as its source, however it is named", async () => {
  const mentions = {
    "plain.ts": `import "./plain.ts";`,
    "with space.ts": `import "./with space.ts";`,
    "percent é.ts": `import "./percent%20%C3%A9.ts";`,
    "by_url.ts": `new URL("by_url.ts", import.meta.url);`,
  };
  for (const [name, mention] of Object.entries(mentions)) {
    await using workshop = new Workshop({ "main.ts": mention + tool(""), [name]: tool("") });
    const before = sourceKey(loadToolFiles(workshop.directory), "main.ts");
    workshop.write(name, tool("return 1;"));
    assert.notEqual(sourceKey(loadToolFiles(workshop.directory), "main.ts"), before, name);
  }
  await using workshop = new Workshop({ "main.ts": tool(""), "other.ts": tool("") });
  const before = sourceKey(loadToolFiles(workshop.directory), "main.ts");
  workshop.write("other.ts", tool("return 1;"));
  assert.equal(sourceKey(loadToolFiles(workshop.directory), "main.ts"), before);
});

Deno.test("an index keeps what it was given, and nothing of a damaged file", async () => {
  await using workshop = new Workshop();
  const cacheDir = join(workshop.home, "cache");
  const index = new DirectoryIndex(cacheDir, workshop.tools);
  const files = new Map([["a.ts", { stamp: "1", hash: "2", mentions: ["b.ts"] }]]);
  const description = { key: "k", tools: [{ name: "a", handler: true }] };
  await index.save(files, new Map([["a.ts", description]]));
  const again = new DirectoryIndex(cacheDir, workshop.tools);
  assert.deepEqual(again.files, files);
  assert.deepEqual([...again.descriptions.keys()], ["a.ts"]);
  const [entry] = [...Deno.readDirSync(join(cacheDir, "tools"))];
  const path = join(cacheDir, "tools", entry?.name ?? "");
  for (const text of ["", "{", "[]", `{"maker":"1"}`, `{"maker":null,"files":3}`]) {
    await Deno.writeTextFile(path, text);
    const damaged = new DirectoryIndex(cacheDir, workshop.tools);
    assert.deepEqual([damaged.files.size, damaged.descriptions.size], [0, 0], text);
  }
});
