import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { placeSecrets, resolveSecrets } from "../../src/config/secrets.ts";

const env = (name: string) => ({ TOKEN: "t0ken", EMPTY: "" })[name];

Deno.test("resolveSecrets() replaces variables and leaves other text alone", async () => {
  const places = { base: "/", env };
  assert.equal(await resolveSecrets("Bearer ${env:TOKEN}!", "x", places), "Bearer t0ken!");
  assert.equal(await resolveSecrets("$TOKEN ${TOKEN} {}", "x", places), "$TOKEN ${TOKEN} {}");
  for (const name of ["MISSING", "EMPTY"]) {
    await assert.rejects(
      resolveSecrets(`secret-part ${"${env:" + name + "}"}`, "the header A", places),
      (error) => {
        assert.ok(error instanceof MmError && error.code === "config");
        assert.match(error.message, new RegExp(`the header A: the environment variable ${name}`));
        assert.doesNotMatch(error.message, /secret-part/);
        return true;
      },
    );
  }
});

Deno.test("resolveSecrets() reads files that are private, and no others", async () => {
  const base = await Deno.makeTempDir();
  try {
    const write = (name: string, mode: number) =>
      Deno.writeTextFile(`${base}/${name}`, "s3cret\n", { mode });
    await write("private", 0o600);
    await write("open", 0o600);
    await Deno.chmod(`${base}/open`, 0o640);
    assert.equal(await resolveSecrets("${file:private}", "x", { base }), "s3cret");
    assert.equal(await resolveSecrets(`\${file:${base}/private}`, "x", { base: "/" }), "s3cret");
    await assert.rejects(resolveSecrets("${file:open}", "x", { base }), /others can read it/);
    await assert.rejects(resolveSecrets("${file:none}", "x", { base }), /no such file/);
    await assert.rejects(resolveSecrets("${file:.}", "x", { base }), /not a file/);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
});

Deno.test("placeSecrets() makes files absolute and leaves the rest as it is", () => {
  assert.equal(
    placeSecrets("${file:a/b} ${file:/c} ${env:D} ${other:e}", "/base"),
    "${file:/base/a/b} ${file:/c} ${env:D} ${other:e}",
  );
});
