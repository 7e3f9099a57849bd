/**
 * The layering of the rooms, and the few rules that hold everywhere in src/.
 *
 * @module
 */

import assert from "node:assert/strict";
import { fromFileUrl, relative, ROOT, sourceFiles } from "./support/project.ts";

/** A room imports only rooms with a lower number, and itself. */
const LEVELS: Readonly<Record<string, number>> = {
  base: 0,
  model: 1,
  process: 1,
  config: 2,
  transport: 2,
  client: 3,
  toolbox: 3,
  agent: 3,
  api: 4,
  app: 5,
  front: 6,
  cli: 7,
};

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

async function moduleGraph(entries: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const graph = new Map<string, string[]>();
  for (const entry of entries) {
    if (graph.has(entry)) continue;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: ROOT,
    }).output();
    const info = JSON.parse(new TextDecoder().decode(stdout)) as { modules: ModuleInfo[] };
    for (const module of info.modules) {
      if (!module.specifier.startsWith("file:")) continue;
      const imports = (module.dependencies ?? [])
        .flatMap((d) => [d.code?.specifier, d.type?.specifier])
        .filter((s) => s !== undefined);
      graph.set(relative(fromFileUrl(module.specifier)), imports);
    }
  }
  return graph;
}

const files = await sourceFiles("src");
const graph = await moduleGraph(["main.ts", ...files]);

function roomOf(path: string): string | undefined {
  return path.match(/^src\/([^/]+)\//)?.[1];
}

Deno.test("every folder of src/ is a room with a level", () => {
  const unknown = files.map(roomOf).filter((room) => room === undefined || !(room in LEVELS));
  assert.deepEqual(unknown, []);
});

Deno.test("rooms import only rooms below them, type imports included", () => {
  const wrong: string[] = [];
  for (const [path, imports] of graph) {
    const room = roomOf(path);
    if (room === undefined) continue;
    for (const specifier of imports.filter((s) => s.startsWith("file:"))) {
      const target = relative(fromFileUrl(specifier));
      const other = roomOf(target);
      // The version and the pinned dependencies have one place: deno.json.
      if (other === room || target === "deno.json") continue;
      if (other === undefined || (LEVELS[other] ?? 99) >= (LEVELS[room] ?? -1)) {
        wrong.push(`${path} imports ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("nothing imports tools/, and src/ imports nothing of tests/", () => {
  const wrong = [...graph].flatMap(([path, imports]) =>
    imports
      .filter((s) => s.startsWith("file:"))
      .map((s) => relative(fromFileUrl(s)))
      .filter((target) => target.startsWith("tools/") || target.startsWith("tests/"))
      .map((target) => `${path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("only main.ts ends the process", async () => {
  const wrong: string[] = [];
  for (const path of files) {
    const text = await Deno.readTextFile(`${ROOT}/${path}`);
    if (/\bDeno\.exit\s*\(|\bprocess\.exit\s*\(/.test(stripComments(text))) wrong.push(path);
  }
  assert.deepEqual(wrong, []);
});

Deno.test("main.ts stays a caller: at most 30 lines", async () => {
  const lines = (await Deno.readTextFile(`${ROOT}/main.ts`)).trimEnd().split("\n").length;
  assert.ok(lines <= 30, `main.ts has ${lines} lines`);
});

Deno.test("only front ends and the command line write to the terminal", async () => {
  const wrong: string[] = [];
  for (const path of files) {
    const room = roomOf(path);
    if (room === "front" || room === "cli") continue;
    const text = stripComments(await Deno.readTextFile(`${ROOT}/${path}`));
    if (/\bconsole\.|\bDeno\.(stdout|stderr)\b/.test(text) && !MAY_WRITE.has(path)) {
      wrong.push(path);
    }
  }
  assert.deepEqual(wrong, []);
});

/** Programs of their own, whose stdout is a protocol and not a terminal. */
const MAY_WRITE: ReadonlySet<string> = new Set([
  "src/agent/stdio.ts",
  "src/toolbox/host.ts",
]);

function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}
