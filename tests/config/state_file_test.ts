import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { readState, updateState } from "../../src/config/state_file.ts";

const parseNumbers = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one === "number")
    ? value as number[]
    : undefined;

async function inDirectory(run: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir();
  try {
    await run(dir);
  } finally {
    await Deno.chmod(dir, 0o700);
    await Deno.remove(dir, { recursive: true });
  }
}

Deno.test("readState() gives the fallback for a missing, empty or damaged file and changes nothing", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/a.json`;
    assert.deepEqual(await readState(path, parseNumbers, [7]), [7]);
    for (const text of ["", " \n", "{", "[1", '["a"]', "\u0000\u0001"]) {
      await Deno.writeTextFile(path, text);
      assert.deepEqual(await readState(path, parseNumbers, [7]), [7]);
      assert.equal(await Deno.readTextFile(path), text);
    }
  }));

Deno.test("updateState() writes a private file and private directories", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/one/two/a.json`;
    assert.deepEqual(await updateState(path, parseNumbers, [], (all) => [...all, 1]), [1]);
    assert.deepEqual(await readState(path, parseNumbers, []), [1]);
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal(((await Deno.stat(`${dir}/one`)).mode ?? 0) & 0o777, 0o700);
    assert.equal(((await Deno.stat(`${dir}/one/two`)).mode ?? 0) & 0o777, 0o700);
    const names = [...Deno.readDirSync(`${dir}/one/two`)].map((entry) => entry.name).sort();
    assert.deepEqual(names, ["a.json", "a.json.lock"]);
  }));

Deno.test("updateState() sets a damaged file aside and starts from the fallback", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/a.json`;
    await Deno.writeTextFile(path, "[1, 2");
    assert.deepEqual(await updateState(path, parseNumbers, [9], (all) => [...all, 3]), [9, 3]);
    assert.equal(await Deno.readTextFile(`${path}.damaged`), "[1, 2");
  }));

Deno.test("updateState() leaves the file alone when the change throws, and gives the lock back", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/a.json`;
    await updateState(path, parseNumbers, [], () => [1]);
    await assert.rejects(
      updateState(path, parseNumbers, [], () => {
        throw new Error("no");
      }),
      /^Error: no$/,
    );
    assert.deepEqual(await updateState(path, parseNumbers, [], (all) => [...all, 2]), [1, 2]);
  }));

Deno.test("updateState() is not held up by lock files that dead programs left", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/a.json`;
    for (const left of ["1", `{"pid":${Deno.pid},"start":1}`, "", "\u0000garbage"]) {
      await Deno.writeTextFile(`${path}.lock`, left);
      await updateState(path, parseNumbers, [], (all) => [...all, all.length]);
    }
    assert.deepEqual(await readState(path, parseNumbers, []), [0, 1, 2, 3]);
  }));

Deno.test("updateState() loses nothing when two programs write at once", () =>
  inDirectory(async (dir) => {
    const path = `${dir}/a.json`;
    const module = new URL("../../src/config/state_file.ts", import.meta.url).href;
    const code = (name: string) => `
      const { updateState } = await import(${JSON.stringify(module)});
      for (let i = 0; i < 40; i++) {
        await updateState(${JSON.stringify(path)}, (v) => v, [], (all) => [...all, "${name}" + i]);
      }`;
    const runs = ["a", "b"].map((name) =>
      new Deno.Command(Deno.execPath(), { args: ["eval", code(name)], stdin: "null" }).output()
    );
    for (const run of await Promise.all(runs)) assert.equal(run.code, 0);
    const all = await readState(path, (value) => value as string[], []);
    assert.equal(new Set(all).size, 80);
    assert.equal(all.length, 80);
  }));

Deno.test("updateState() names the path when the directory cannot be written", () =>
  inDirectory(async (dir) => {
    await Deno.writeTextFile(`${dir}/file`, "");
    const path = `${dir}/file/a.json`;
    await assert.rejects(
      updateState(path, parseNumbers, [], () => []),
      (error: unknown) =>
        error instanceof MmError && error.code === "config" && error.message.includes(path),
    );
  }));

Deno.test("readState() reports a directory in the file's place", () =>
  inDirectory(async (dir) => {
    await Deno.mkdir(`${dir}/a.json`);
    await assert.rejects(
      readState(`${dir}/a.json`, parseNumbers, []),
      /Cannot read .*a\.json: a directory is in its place/,
    );
  }));
