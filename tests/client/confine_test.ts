import fc from "fast-check";
import assert from "node:assert/strict";
import { isInside, realTarget } from "../../src/client/confine.ts";

/** Names of a small world, so that links often lead somewhere. */
const NAMES = ["a", "b", "c"] as const;
const name = fc.constantFrom(...NAMES);
const step = fc.constantFrom(...NAMES, "..", ".", "missing");
const path = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join("/"));

/** What stands at a place: a directory, a file, or a link to somewhere. */
const thing = fc.oneof(
  fc.constant({ kind: "directory" as const }),
  fc.constant({ kind: "file" as const }),
  fc.record({ kind: fc.constant("link" as const), to: path, absolute: fc.boolean() }),
);
const tree = fc.array(
  fc.record({ at: fc.array(name, { minLength: 1, maxLength: 3 }), thing }),
  { maxLength: 12 },
);

async function build(base: string, entries: typeof tree extends fc.Arbitrary<infer T> ? T : never) {
  for (const { at, thing } of entries) {
    const place = `${base}/${at.join("/")}`;
    try {
      if (thing.kind === "directory") await Deno.mkdir(place);
      else if (thing.kind === "file") await Deno.writeTextFile(place, "x", { createNew: true });
      else await Deno.symlink(thing.absolute ? `${base}/${thing.to}` : thing.to, place);
    } catch {
      // Something is there already, or there is nothing for it to be in.
    }
  }
}

/** What the system itself opens, or makes, for a path; `undefined` when it does neither. */
async function opened(path: string): Promise<string | undefined> {
  try {
    using file = await Deno.open(path, { write: true, create: true });
    return await Deno.readLink(`/proc/self/fd/${await descriptorOf(file)}`);
  } catch {
    return undefined;
  }
}

/** Deno does not tell the number of a descriptor: it is the one with this file's numbers. */
async function descriptorOf(file: Deno.FsFile): Promise<string> {
  const { dev, ino } = await file.stat();
  for await (const { name } of Deno.readDir("/proc/self/fd")) {
    const info = await Deno.stat(`/proc/self/fd/${name}`).catch(() => undefined);
    if (info?.dev === dev && info.ino === ino) return name;
  }
  throw new Error("the file is not open");
}

Deno.test({
  name: "realTarget() says what the system really opens, in any tree of links",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await fc.assert(
      fc.asyncProperty(tree, path, async (entries, asked) => {
        const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "mm-confine-" }));
        try {
          const root = `${base}/a`;
          await Deno.mkdir(root);
          await build(base, entries);
          const full = `${root}/${asked}`;
          const told = await realTarget(full).catch(() => undefined);
          const real = await opened(full);
          if (real === undefined) return;
          assert.equal(told, real);
          const inside = real === root || real.startsWith(`${root}/`);
          assert.equal(await isInside(real, [root]), inside);
        } finally {
          await Deno.remove(base, { recursive: true });
        }
      }),
      { numRuns: 300 },
    );
  },
});
