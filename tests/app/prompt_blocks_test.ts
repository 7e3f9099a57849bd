import assert from "node:assert/strict";
import type { JsonObject } from "../../src/base/guards.ts";
import { loadPromptBlocks } from "../../src/app/prompt_blocks.ts";

interface Loaded {
  readonly blocks: readonly JsonObject[];
  readonly notices: readonly string[];
  readonly asked: readonly string[];
}

/** Loads a prompt in a directory with a few files, a directory and a link that leaves it. */
async function load(
  prompt: string,
  options: { readonly capabilities?: JsonObject; readonly consent?: boolean } = {},
): Promise<Loaded & { readonly cwd: string }> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const cwd = `${base}/pro ject`;
  await Deno.mkdir(`${cwd}/src`, { recursive: true });
  for (const name of ["my notes.txt", "a(b).md", "x.ts", "é.txt"]) {
    await Deno.writeTextFile(`${cwd}/${name}`, `text of ${name}`);
  }
  await Deno.writeFile(`${cwd}/data.bin`, new Uint8Array([0, 1, 2]));
  await Deno.writeFile(`${cwd}/dot.png`, new Uint8Array([1, 2, 3]));
  await Deno.writeTextFile(`${base}/secret`, "secret");
  await Deno.symlink(`${base}/secret`, `${cwd}/out`);
  const notices: string[] = [];
  const asked: string[] = [];
  try {
    const blocks = await loadPromptBlocks(prompt, {
      cwd,
      capabilities: options.capabilities ?? {},
      allowOutside: (path) => {
        asked.push(path);
        return Promise.resolve(options.consent ?? false);
      },
      notice: (text) => notices.push(text),
    });
    return { blocks, notices, asked, cwd };
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("loadPromptBlocks() links mentioned files once, after the whole text", async () => {
  const prompt = 'see @my\\ notes.txt, @"my notes.txt" and (@x.ts).';
  const { blocks, notices, cwd } = await load(prompt);
  const root = `file://${cwd.replaceAll(" ", "%20")}`;
  assert.deepEqual(blocks, [
    { type: "text", text: prompt },
    { type: "resource_link", uri: `${root}/my%20notes.txt`, name: "my notes.txt", size: 20 },
    { type: "resource_link", uri: `${root}/x.ts`, name: "x.ts", size: 12 },
  ]);
  assert.deepEqual(notices, []);
});

Deno.test("loadPromptBlocks() encodes URIs and links directories", async () => {
  const { blocks } = await load("@é.txt @a\\(b\\).md @src");
  const uris = blocks.slice(1).map((block) => String(block.uri).split("/").at(-1));
  assert.deepEqual(uris, ["%C3%A9.txt", "a(b).md", "src"]);
});

Deno.test("loadPromptBlocks() embeds text files only where the agent takes them", async () => {
  const { blocks } = await load("@x.ts @data.bin", { capabilities: { embeddedContext: true } });
  assert.deepEqual(blocks.slice(1).map(({ type }) => type), ["resource", "resource_link"]);
  const resource = blocks[1]?.resource as JsonObject;
  assert.equal(resource.text, "text of x.ts");
});

Deno.test("loadPromptBlocks() sends pictures only where the agent takes them", async () => {
  const taken = await load("@dot.png", { capabilities: { image: true } });
  assert.equal(taken.blocks[1]?.data, "AQID");
  assert.equal(taken.blocks[1]?.mimeType, "image/png");
  const linked = await load("@dot.png");
  assert.equal(linked.blocks[1]?.type, "resource_link");
});

Deno.test("loadPromptBlocks() sends a missing file as text and says so", async () => {
  const { blocks, notices } = await load("@missing.txt");
  assert.deepEqual(blocks, [{ type: "text", text: "@missing.txt" }]);
  assert.deepEqual(notices, ["@missing.txt is no file here: it was sent as text"]);
});

Deno.test("loadPromptBlocks() asks before it sends a file from outside, links included", async () => {
  const refused = await load("@out @../secret");
  assert.equal(refused.blocks.length, 1);
  assert.equal(refused.notices.length, 2);
  assert.deepEqual(refused.asked.map((path) => path.split("/").at(-1)), ["out", "secret"]);
  const allowed = await load("@out", { consent: true });
  assert.equal(allowed.blocks[1]?.type, "resource_link");
});

Deno.test("loadPromptBlocks() leaves addresses and escaped at signs alone", async () => {
  const { blocks, notices } = await load("mail me@host.org about \\@x.ts");
  assert.deepEqual(blocks, [{ type: "text", text: "mail me@host.org about @x.ts" }]);
  assert.deepEqual(notices, []);
});
