import assert from "node:assert/strict";
import { replaceFile } from "../../src/config/replace_file.ts";

async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.realPath(await Deno.makeTempDir());
  try {
    await use(directory);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const modeOf = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;

Deno.test("replaceFile() makes a file, and keeps the mode of one that is there", async () => {
  await inDirectory(async (directory) => {
    const path = `${directory}/file`;
    await replaceFile(path, "one");
    assert.equal(await Deno.readTextFile(path), "one");
    await Deno.chmod(path, 0o640);
    await replaceFile(path, "two");
    assert.deepEqual([await Deno.readTextFile(path), await modeOf(path)], ["two", 0o640]);
    await replaceFile(path, "three", { mode: 0o600 });
    assert.equal(await modeOf(path), 0o640);
    await replaceFile(path, "four", { mode: 0o600, enforceMode: true });
    assert.equal(await modeOf(path), 0o600);
    await replaceFile(`${directory}/private`, "one", { mode: 0o600 });
    assert.equal(await modeOf(`${directory}/private`), 0o600);
  });
});

Deno.test("replaceFile() leaves a link a link", async () => {
  await inDirectory(async (directory) => {
    await Deno.writeTextFile(`${directory}/real`, "old");
    await Deno.symlink("real", `${directory}/link`);
    await replaceFile(`${directory}/link`, "new");
    assert.equal(await Deno.readTextFile(`${directory}/real`), "new");
    assert.equal((await Deno.lstat(`${directory}/link`)).isSymlink, true);
    await Deno.remove(`${directory}/real`);
    await replaceFile(`${directory}/link`, "newer");
    assert.equal(await Deno.readTextFile(`${directory}/real`), "newer");
    assert.equal((await Deno.lstat(`${directory}/link`)).isSymlink, true);
  });
});

Deno.test("replaceFile() replaces files only", async () => {
  await inDirectory(async (directory) => {
    const pipe = `${directory}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    await assert.rejects(replaceFile(pipe, "text"), /it is not a regular file/);
    assert.equal((await Deno.lstat(pipe)).isFifo, true);
    await assert.rejects(replaceFile(directory, "text"), /it is a directory/);
    assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), ["pipe"]);
  });
});

Deno.test("replaceFile() leaves nothing behind when it fails", async () => {
  await inDirectory(async (directory) => {
    await Deno.mkdir(`${directory}/file/full`, { recursive: true });
    await assert.rejects(replaceFile(`${directory}/file`, "text"));
    const names = [...Deno.readDirSync(directory)].map(({ name }) => name);
    assert.deepEqual(names, ["file"]);
  });
});
