import assert from "node:assert/strict";
import fc from "fast-check";
import {
  describeForModel,
  modelToolName,
  validateToolList,
} from "../../src/model/tool_manifest.ts";

Deno.test("modelToolName() gives the name that the model sees", () => {
  assert.equal(modelToolName("open buffers"), "client_open_buffers");
  assert.equal(modelToolName("__a--b__c!"), "client_a_b_c");
  assert.equal(modelToolName("größe"), "client_gr_e");
  assert.equal(modelToolName("Word2"), "client_Word2");
});

Deno.test("describeForModel() moves required parameters and enums into descriptions", () => {
  const tool = describeForModel({
    name: "list",
    description: "List things.",
    method: "_x/list",
    inputSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        kind: { type: "string", enum: ["a", "b"], description: "What to list." },
        level: { enum: [1, null, "x"] },
        enum: { type: "boolean" },
        where: {
          type: "object",
          properties: { dir: { type: "string" } },
          required: ["dir"],
          additionalProperties: false,
        },
        tags: { type: "array", items: { type: "string", enum: ["t"] } },
        any: { anyOf: [{ enum: ["u"] }, { additionalProperties: { enum: ["v"] } }] },
      },
      required: ["kind", "where"],
      additionalProperties: false,
    },
  });
  assert.equal(tool.name, "client_list");
  assert.equal(tool.description, "List things. Required parameters: kind, where");
  assert.deepEqual(tool.schema, {
    type: "object",
    properties: {
      kind: { type: "string", description: "What to list. One of: a, b." },
      level: { description: "One of: 1, null, x." },
      enum: { type: "boolean" },
      where: {
        type: "object",
        properties: { dir: { type: "string" } },
        description: "Required parameters: dir",
      },
      tags: { type: "array", items: { type: "string", description: "One of: t." } },
      any: {
        anyOf: [
          { description: "One of: u." },
          { additionalProperties: { description: "One of: v." } },
        ],
      },
    },
  });
});

Deno.test("describeForModel() always gives a description, a type and properties", () => {
  assert.deepEqual(describeForModel({ name: "a", method: "_x/a" }), {
    name: "client_a",
    description: "Tool provided by the editor (_x/a).",
    schema: { type: "object", properties: {} },
  });
  const { schema } = describeForModel({ name: "a", method: "_a", inputSchema: { title: "T" } });
  assert.deepEqual(schema, { title: "T", type: "object", properties: {} });
});

Deno.test("describeForModel() does not change the description that it is given", () => {
  const inputSchema = { type: "object", required: ["a"], properties: { a: { enum: [1] } } };
  const copy = structuredClone(inputSchema);
  describeForModel({ name: "a", method: "_a", inputSchema });
  assert.deepEqual(inputSchema, copy);
});

Deno.test("validateToolList() sorts the valid tools and says why the others were skipped", () => {
  const { tools, skipped } = validateToolList([
    { name: "zeta", method: "_x/z" },
    "tool",
    null,
    { name: 5, method: "_x" },
    { name: "a", method: "_x", inputSchema: [] },
    { name: " ", method: "_x" },
    { method: "_x" },
    { name: "a" },
    { name: "a", method: "x/a" },
    { name: "a", method: "_x/a", inputSchema: { type: "array" } },
    { name: "open buffers", method: "_x/1", description: null, inputSchema: null },
    { name: "open_buffers", method: "_x/2" },
    { name: "alpha", method: "_x/a", description: "A", inputSchema: { properties: {} }, more: 1 },
  ]);
  assert.deepEqual(tools, [
    { name: "alpha", description: "A", method: "_x/a", inputSchema: { properties: {} } },
    { name: "open buffers", method: "_x/1" },
    { name: "zeta", method: "_x/z" },
  ]);
  assert.deepEqual(skipped.map(({ index, reason }) => `${index}: ${reason}`), [
    "1: not a tool description: a string instead of an object",
    "2: not a tool description: null instead of an object",
    "3: not a tool description: name is a number instead of a string",
    "4: not a tool description: inputSchema is an array instead of an object",
    "5: no name",
    "6: no name",
    '7: method "" must start with "_" (an ACP extension method)',
    '8: method "x/a" must start with "_" (an ACP extension method)',
    '9: inputSchema.type must be "object", got "array"',
    '11: duplicate tool name "client_open_buffers"',
  ]);
});

Deno.test("validateToolList() and describeForModel() take anything", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (list, inputSchema) => {
    validateToolList(list);
    const { tools } = validateToolList([{ name: "a", method: "_a", inputSchema }]);
    for (const tool of tools) {
      const { schema } = describeForModel(tool);
      assert.equal(schema.type, "object");
      assert.equal("required" in schema, false);
    }
  }));
});
