import assert from "node:assert/strict";
import {
  CLEVERAGENTS_ERRORS,
  errorDialect,
  meaningOf,
  STANDARD_ERRORS,
} from "../../src/model/error_taxonomy.ts";

Deno.test("the tables of errors have every column and no code twice", () => {
  for (const table of [STANDARD_ERRORS, CLEVERAGENTS_ERRORS]) {
    assert.equal(new Set(table.map(({ code }) => code)).size, table.length);
    for (const { name, meaning } of table) assert.ok(name && meaning);
  }
  const codes = [-32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008];
  for (const code of [...codes, -32700, -32600, -32601, -32602, -32603]) {
    assert.ok(meaningOf(code, "cleveragents"), `${code}`);
  }
  assert.ok(CLEVERAGENTS_ERRORS.every(({ advice }) => advice));
});

Deno.test("meaningOf() gives -32002 the meaning of the agent that sent it", () => {
  assert.equal(meaningOf(-32002, "cleveragents")?.name, "AuthenticationError");
  assert.equal(meaningOf(-32002, "acp")?.name, "resource not found");
  assert.equal(meaningOf(-32008, "acp"), undefined);
  assert.equal(meaningOf(-32000, "cleveragents")?.name, "authentication required");
  assert.equal(meaningOf(-1, "cleveragents"), undefined);
});

Deno.test("errorDialect() goes by what initialize advertises", () => {
  assert.equal(errorDialect({ agentCapabilities: { _cleveragents: {} } }), "cleveragents");
  assert.equal(errorDialect({ agentInfo: { name: "cleveragents" } }), "acp");
});
