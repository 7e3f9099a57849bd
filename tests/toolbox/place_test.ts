import assert from "node:assert/strict";
import { packageAdvice, placeOf, withoutPlace } from "../../src/toolbox/host/place.ts";

Deno.test("placeOf() prefers a place in the tool's directory, spaces and letters included", () => {
  const text = `Error: x
    at file:///elsewhere/lib.ts:9:9
    at handler (file:///my tools/é/one.ts:3:7)
    at file:///my tools/é/two.ts:4:8`;
  assert.deepEqual(placeOf(text, "/my tools/é"), {
    file: "/my tools/é/one.ts",
    line: 3,
    column: 7,
  });
  assert.deepEqual(placeOf(text, "/other"), { file: "/elsewhere/lib.ts", line: 9, column: 9 });
  assert.deepEqual(placeOf("at file:///my%20tools/one.ts:1:2", "/my tools").line, 1);
  assert.deepEqual(placeOf("no place", "/other"), {});
});

Deno.test("withoutPlace() leaves one line that says what is wrong", () => {
  assert.equal(
    withoutPlace("Expression expected at file:///a b/x.ts:1:17\n\n  const x: = 1"),
    "Expression expected",
  );
  assert.equal(
    withoutPlace('Module not found "file:///a%20b/x.ts".'),
    'Module not found "/a b/x.ts"',
  );
  assert.equal(withoutPlace("Uncaught (in promise) Error: late"), "Error: late");
});

Deno.test("packageAdvice() tells what a compiled program cannot do", () => {
  const message = 'Import "zod" not a dependency';
  assert.match(packageAdvice(message, true), /run it with deno/);
  assert.equal(packageAdvice(message, false), "");
  assert.equal(packageAdvice("Module not found", true), "");
});
