import assert from "node:assert/strict";
import { MethodRouter } from "../../src/client/router.ts";

Deno.test("MethodRouter finds methods by their exact names and lists them", () => {
  const router = new MethodRouter();
  const named = () => "named";
  router.register("_vendor/ping", named);
  router.register("fs/read_text_file", () => "file");
  assert.deepEqual(router.methods(), ["_vendor/ping", "fs/read_text_file"]);
  assert.equal(router.request("_vendor/ping"), named);
  for (const other of ["vendor/ping", "_vendor/Ping", "_vendor/ping ", "constructor", ""]) {
    assert.equal(router.request(other), undefined, other);
  }
});

Deno.test("MethodRouter takes a handler away that was registered, and no later one", () => {
  const router = new MethodRouter();
  const undoFirst = router.register("_a/b", () => 1);
  const second = () => 2;
  const undoSecond = router.register("_a/b", second);
  undoFirst();
  assert.equal(router.request("_a/b"), second);
  undoSecond();
  assert.equal(router.request("_a/b"), undefined);
  assert.deepEqual(router.methods(), []);
});

Deno.test("MethodRouter asks for other names last, and keeps notifications apart", () => {
  const router = new MethodRouter();
  const tool = () => "tool";
  const own = () => "own";
  router.fallback((method) => method.startsWith("_tools/") ? tool : undefined);
  router.register("_tools/own", own);
  assert.equal(router.request("_tools/own"), own);
  assert.equal(router.request("_tools/x"), tool);
  assert.equal(router.request("_other/x"), undefined);
  assert.equal(router.notification("_tools/own"), undefined);
  const heard: unknown[] = [];
  const undo = router.on("_told", (params) => heard.push(params));
  router.notification("_told")?.({ a: 1 });
  assert.deepEqual(heard, [{ a: 1 }]);
  undo();
  assert.equal(router.notification("_told"), undefined);
});
