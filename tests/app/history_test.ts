import assert from "node:assert/strict";
import { directoryHistory } from "../../src/app/history.ts";

async function inDirectory(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await run(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("directoryHistory() keeps what was entered, for each directory apart", () =>
  inDirectory(async (dir) => {
    const here = directoryHistory(dir, "/a");
    for (const text of ["one", "two\nlines", "two\nlines", "  "]) await here.add(text);
    assert.deepEqual(await directoryHistory(dir, "/a").load(), ["one", "two\nlines"]);
    assert.deepEqual(await directoryHistory(dir, "/b").load(), []);
  }));

Deno.test("directoryHistory() writes files that only their owner can read", () =>
  inDirectory(async (dir) => {
    await directoryHistory(dir, "/a").add("secret");
    const files = [...Deno.readDirSync(`${dir}/history`)].filter(({ name }) =>
      name.endsWith(".json")
    );
    assert.equal(files.length, 1);
    const { mode } = await Deno.stat(`${dir}/history/${files[0]?.name}`);
    assert.equal((mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("directoryHistory() keeps the newest lines within its size", () =>
  inDirectory(async (dir) => {
    const history = directoryHistory(dir, "/a", 2);
    for (const text of ["1", "2", "3", "x".repeat(40_000)]) await history.add(text);
    assert.deepEqual(await history.load(), ["2", "3"]);
    const off = directoryHistory(dir, "/c", 0);
    await off.add("1");
    assert.deepEqual(await off.load(), []);
  }));

Deno.test("directoryHistory() loses nothing when two programs add at once", () =>
  inDirectory(async (dir) => {
    const [one, two] = [directoryHistory(dir, "/a"), directoryHistory(dir, "/a")];
    const added = Array.from({ length: 10 }, (_, i) => [one.add(`one ${i}`), two.add(`two ${i}`)]);
    await Promise.all(added.flat());
    const lines = await one.load();
    assert.equal(lines.length, 20);
    // What each of them has added stands in its order.
    for (const name of ["one", "two"]) {
      const own = lines.filter((line) => line.startsWith(name));
      assert.deepEqual(own, Array.from({ length: 10 }, (_, i) => `${name} ${i}`));
    }
  }));

Deno.test("directoryHistory() takes a damaged file as empty and goes on", () =>
  inDirectory(async (dir) => {
    const history = directoryHistory(dir, "/a");
    await history.add("one");
    for (const { name } of [...Deno.readDirSync(`${dir}/history`)]) {
      if (name.endsWith(".json")) await Deno.writeTextFile(`${dir}/history/${name}`, '{"lines":');
    }
    assert.deepEqual(await history.load(), []);
    await history.add("two");
    assert.deepEqual(await history.load(), ["two"]);
  }));

Deno.test("directoryHistory() never rejects where nothing can be written", () =>
  inDirectory(async (dir) => {
    await Deno.writeTextFile(`${dir}/file`, "");
    const history = directoryHistory(`${dir}/file`, "/a");
    await history.add("one");
    assert.deepEqual(await history.load(), []);
  }));
