import assert from "node:assert/strict";
import { parsePermissionRequest, permissionResult } from "../../src/client/permissions.ts";

Deno.test("parsePermissionRequest() keeps every option in order, unknown kinds too", () => {
  const { options } = parsePermissionRequest({
    sessionId: "s1",
    options: [
      { optionId: "o1", name: "Always", kind: "allow_always" },
      { optionId: "o2", name: "This session", kind: "allow_always" },
      { optionId: "o3", name: "Ask me later", kind: "defer_9" },
      { optionId: "o4", name: null, kind: 5 },
      { name: "no id" },
      "nonsense",
    ],
  });
  assert.deepEqual(options, [
    { optionId: "o1", name: "Always", kind: "allow_always" },
    { optionId: "o2", name: "This session", kind: "allow_always" },
    { optionId: "o3", name: "Ask me later", kind: "defer_9" },
    { optionId: "o4", name: "o4", kind: "unknown" },
  ]);
});

Deno.test("parsePermissionRequest() takes anything", () => {
  for (const value of [undefined, null, 5, "x", [], { options: {}, toolCall: [] }]) {
    const request = parsePermissionRequest(value);
    assert.deepEqual(request.options, []);
    assert.deepEqual(request.toolCall, {});
    assert.equal(request.sessionId, undefined);
  }
});

Deno.test("permissionResult() is the answer of the protocol", () => {
  assert.deepEqual(permissionResult("a"), { outcome: { outcome: "selected", optionId: "a" } });
  assert.deepEqual(permissionResult(null), { outcome: { outcome: "cancelled" } });
});
