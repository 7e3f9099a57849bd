import assert from "node:assert/strict";
import { loadTrust, rememberTrust } from "../../src/config/trust_store.ts";

const RECORD = {
  digest: "d1",
  files: { "a.ts": "h1" },
  permissions: { "a.ts": { read: ["."], net: true } },
  since: "2026-01-01T00:00:00.000Z",
};

Deno.test("the trust store remembers and replaces directories", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/state/trust.json`;
  assert.deepEqual(await loadTrust(path), {});
  await rememberTrust(path, "/p/tools", RECORD);
  await rememberTrust(path, "/q/tools", RECORD);
  await rememberTrust(path, "/p/tools", { ...RECORD, digest: "d2" });
  assert.deepEqual(await loadTrust(path), {
    "/p/tools": { ...RECORD, digest: "d2" },
    "/q/tools": RECORD,
  });
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  await Deno.remove(directory, { recursive: true });
});

Deno.test("a damaged trust store trusts nobody", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/trust.json`;
  const damaged = [
    "{",
    "[]",
    `"x"`,
    `{"/p": null}`,
    `{"/p": {"digest": 1, "files": {}, "permissions": {}}}`,
  ];
  for (const text of damaged) {
    await Deno.writeTextFile(path, text);
    assert.deepEqual(await loadTrust(path), {}, text);
  }
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      "/p": { ...RECORD, permissions: { "a.ts": { read: 7, net: true } } },
      "/q": 1,
    }),
  );
  const book = await loadTrust(path);
  assert.deepEqual(book["/p"]?.permissions, { "a.ts": { net: true } });
  assert.deepEqual(Object.keys(book), ["/p"]);
  await Deno.remove(directory, { recursive: true });
});
