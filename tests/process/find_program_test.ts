import assert from "node:assert/strict";
import { findProgram } from "../../src/process/find_program.ts";

Deno.test("findProgram() finds the first executable file, as the system would", async () => {
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    await Deno.mkdir(`${dir}/1/prog`, { recursive: true });
    await Deno.mkdir(`${dir}/2`);
    await Deno.writeTextFile(`${dir}/2/prog`, "", { mode: 0o644 });
    await Deno.mkdir(`${dir}/3`);
    await Deno.writeTextFile(`${dir}/3/prog`, "", { mode: 0o755 });
    const find = (command: string, path: string) => findProgram(command, { cwd: dir, path });
    assert.equal(await find("prog", `${dir}/1:${dir}/2:${dir}/3`), `${dir}/3/prog`);
    assert.equal(await find("prog", "1:3"), `${dir}/3/prog`);
    assert.equal(await find("none", `${dir}/3`), undefined);
    assert.equal(await find("prog", ""), undefined);
    assert.equal(await find(`${dir}/2/prog`, `${dir}/3`), undefined);
    assert.equal(await find("./3/prog", ""), `${dir}/3/prog`);
    assert.ok(await findProgram("sh", { cwd: dir }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
