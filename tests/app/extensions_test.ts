import assert from "node:assert/strict";
import { answerTable, configuredMethods, prepareCall } from "../../src/app/extensions.ts";
import { MmError } from "../../src/base/errors.ts";
import { CLEVERAGENTS_METHODS } from "../../src/model/cleveragents_catalog.ts";
import { ExtensionCatalog } from "../../src/model/extension_catalog.ts";

const catalog = new ExtensionCatalog(CLEVERAGENTS_METHODS);

const call = (name: string, ...words: readonly string[]) => prepareCall({ catalog, name, words });

function refused(name: string, ...words: readonly string[]): string {
  try {
    call(name, ...words);
  } catch (error) {
    assert.ok(error instanceof MmError && error.code === "usage");
    return `${error.message} | ${error.hint}`;
  }
  throw new Error("it was not refused");
}

Deno.test("prepareCall() reads JSON and pairs, and takes the end of a name", () => {
  const method = "_cleveragents/plan/status";
  const expected = { method, params: { plan_id: "7" } };
  assert.deepEqual(call("plan/status", "plan_id=7"), expected);
  assert.deepEqual(call(method, '{"plan_id": "7"}'), expected);
  assert.deepEqual(call(method, '{"plan_id":', '"7"}'), expected);
  assert.deepEqual(call("_x/unheard", "a=1"), { method: "_x/unheard", params: { a: 1 } });
  assert.deepEqual(call("_x/unheard"), { method: "_x/unheard", params: {} });
  assert.deepEqual(call("_x/unheard", "[1]"), { method: "_x/unheard", params: [1] });
});

Deno.test("prepareCall() says what is missing or wrong, before anything is sent", () => {
  assert.match(refused("plan/status"), /plan_id is missing \| .*plan_id=…/);
  assert.match(refused("plan/status", '{"plan_id": 7}'), /plan_id must be a string/);
  assert.match(refused("plan/status", "loose"), /"loose" is not/);
  assert.match(refused("plan/status", "{broken"), /Cannot call _cleveragents\/plan\/status: /);
  assert.match(refused("status"), /several methods \| _cleveragents\/plan\/status, /);
  assert.match(refused("nonsense"), /no such method is known \| .*underscore/);
  assert.match(refused("plan/stats"), /no such method is known \| Did you mean plan\/status\?/);
  assert.match(refused("plan/status", "plan_id=1", "plan_id=2"), /"plan_id" is given twice/);
  const unchecked = prepareCall({ catalog, name: "plan/status", words: [], check: false });
  assert.deepEqual(unchecked.params, {});
});

Deno.test("answerTable() is for lists of flat objects alone", () => {
  const table = { head: ["a", "b", "c"], rows: [["1", "", ""], ["x", "true", ""]] };
  const list = [{ a: 1, b: null }, { a: "x", b: true, c: undefined }];
  assert.deepEqual(answerTable(list), table);
  assert.deepEqual(answerTable({ plans: list }), table);
  for (const other of [[], [{}], [1], [{ a: [] }], { a: 1 }, null, "x", { a: list, b: 1 }]) {
    assert.equal(answerTable(other), undefined);
  }
});

Deno.test("configuredMethods() reads the methods of a configuration", () => {
  assert.deepEqual(
    configuredMethods({ extensions: { "_x/find": { params: { q: { required: true } } } } }),
    [{ method: "_x/find", description: "", params: { q: { required: true } } }],
  );
  assert.deepEqual(configuredMethods(undefined), []);
});
