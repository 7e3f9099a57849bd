import assert from "node:assert/strict";
import {
  checkParams,
  describeCall,
  type ExtensionMethod,
  parsePairs,
} from "../../src/model/extension_method.ts";

const FIND: ExtensionMethod = {
  method: "_x.dev/find",
  description: "Find things",
  params: {
    query: { type: "string", required: true },
    tags: { type: "array" },
    limit: { type: "number" },
    where: { type: "object" },
    exact: { type: "boolean" },
    extra: {},
  },
  further: "filters",
};

Deno.test("checkParams() names what is missing and what has the wrong type", () => {
  assert.deepEqual(
    checkParams(FIND, { query: "a", tags: [], limit: 1, where: {}, exact: true }),
    [],
  );
  assert.deepEqual(checkParams(FIND, { query: "a", extra: null, unheard: 1 }), []);
  assert.deepEqual(checkParams(FIND, { limit: "1", tags: {}, where: [], exact: "yes" }), [
    "query is missing",
    "tags must be an array",
    "limit must be a number",
    "where must be an object",
    "exact must be a boolean",
  ]);
  assert.deepEqual(checkParams(FIND, [1]), ["the params must be an object"]);
  assert.deepEqual(checkParams({ ...FIND, params: {} }, [1]), []);
  // What every object inherits is not a parameter that was given.
  const inherited = { ...FIND, params: { toString: { required: true } } };
  assert.deepEqual(checkParams(inherited, {}), ["toString is missing"]);
});

Deno.test("describeCall() shows required, optional and further parameters", () => {
  assert.equal(
    describeCall({ ...FIND, params: { query: { required: true }, limit: {} } }),
    "_x.dev/find query=… [limit=…] [filters]",
  );
});

Deno.test("parsePairs() reads values by the type of the parameter", () => {
  const words = ["query=42", "limit=5", "tags=a, b", 'where={"a":1}', "extra=null", "other=x=y"];
  assert.deepEqual(parsePairs(words, FIND), {
    query: "42",
    limit: 5,
    tags: ["a", "b"],
    where: { a: 1 },
    extra: null,
    other: "x=y",
  });
  assert.deepEqual(parsePairs(["tags=[1]"], FIND), { tags: [1] });
  assert.deepEqual(parsePairs(["tags=7"], FIND), { tags: ["7"] });
  assert.deepEqual(parsePairs(["tags="], FIND), { tags: [] });
  assert.deepEqual(parsePairs(["a=42", "b="]), { a: 42, b: "" });
  const long = "12345678901234567890";
  assert.deepEqual(parsePairs([`a=${long}`]), { a: long });
  assert.throws(() => parsePairs(["loose"]), /"loose" is not/);
  assert.throws(() => parsePairs(["=x"]), /key=value/);
  assert.throws(() => parsePairs(["a=1", "a=2"]), /"a" is given twice/);
});
