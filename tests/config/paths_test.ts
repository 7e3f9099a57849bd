import assert from "node:assert/strict";
import { findPaths, resolvePath } from "../../src/config/paths.ts";

const env = (values: Record<string, string>) => (name: string) => values[name];

Deno.test("findPaths() follows the XDG variables and ignores relative ones", () => {
  assert.deepEqual(
    findPaths(env({ HOME: "/h", XDG_CONFIG_HOME: "/x/c", XDG_STATE_HOME: "rel" })),
    {
      configDir: "/x/c/mm-repl",
      stateDir: "/h/.local/state/mm-repl",
      cacheDir: "/h/.cache/mm-repl",
    },
  );
});

Deno.test("findPaths() finds a place of this user without a home", () => {
  const paths = findPaths(env({ TMPDIR: "/t" }));
  assert.match(paths.stateDir, /^\/t\/mm-repl-\w+\/\.local\/state\/mm-repl$/);
  assert.match(findPaths(env({ HOME: "" })).configDir, /^\/tmp\/mm-repl-/);
});

Deno.test("resolvePath() replaces a leading tilde and makes relative paths absolute", () => {
  const home = env({ HOME: "/h" });
  assert.equal(resolvePath("~/a", "/b", home), "/h/a");
  assert.equal(resolvePath("~", "/b", home), "/h");
  assert.equal(resolvePath("~a", "/b", home), "/b/~a");
  assert.equal(resolvePath("./a/../c", "/b", home), "/b/c");
  assert.equal(resolvePath("/a/./c", "/b", home), "/a/c");
});

Deno.test("findPaths() takes no directory for its own that others can write to", async () => {
  const temporary = await Deno.makeTempDir();
  try {
    const name = `${temporary}/mm-repl-${Deno.uid()}`;
    await Deno.mkdir(name);
    await Deno.chmod(name, 0o777);
    const { configDir } = findPaths(env({ TMPDIR: temporary }));
    assert.ok(configDir.startsWith(`${name}-`), configDir);
    assert.equal(findPaths(env({ TMPDIR: temporary })).configDir, configDir);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
});

Deno.test("findPaths() follows no link that stands where a home is missing", async () => {
  const temporary = await Deno.makeTempDir();
  try {
    const name = `${temporary}/mm-repl-${Deno.uid()}`;
    await Deno.mkdir(`${temporary}/elsewhere`, { mode: 0o700 });
    await Deno.symlink(`${temporary}/elsewhere`, name);
    assert.ok(findPaths(env({ TMPDIR: temporary })).configDir.startsWith(`${name}-`));
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
});
