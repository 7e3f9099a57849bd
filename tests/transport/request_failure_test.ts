import assert from "node:assert/strict";
import type { JsonRpcErrorObject } from "../../src/base/errors.ts";
import { inWords, markFailure } from "../../src/transport/library_errors.ts";
import { isConflict, requestFailure } from "../../src/transport/request_failure.ts";

const answer = (message: string, data?: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  error: { code: -32603, message, data },
});

/** The error as it is passed on for what the protocol library answers. */
function passed(message: string, data?: unknown): JsonRpcErrorObject {
  const told = inWords(answer(message, data)) as { error: JsonRpcErrorObject };
  markFailure(told);
  return told.error;
}

Deno.test("inWords() says what the protocol library answers, and leaves the agent's errors alone", () => {
  for (const said of ["Internal error", "ACP operation failed", "ACP session not found"]) {
    const agents = answer(said, { status: 502, body: "the model's own gateway" });
    assert.equal(inWords(agents), undefined);
    assert.equal(requestFailure(agents.error), undefined);
  }
  const refused = passed("ACP POST failed: 429", { status: 429, body: "slow down" });
  assert.match(refused.message, /no more requests for now \(HTTP 429\): slow down$/);
  assert.equal(requestFailure(refused)?.status, 429);
  const closed = passed("ACP session SSE stream closed");
  assert.match(closed.message, /nobody knows how far/);
  assert.match(requestFailure(closed)?.hint ?? "", /at work/);
});

Deno.test("isConflict() believes no error that only looks like one of ours", () => {
  const real = passed("ACP POST failed: 409", { status: 409, body: "in use" });
  assert.equal(isConflict(real), true);
  assert.equal(isConflict(JSON.parse(JSON.stringify(real))), false);
  assert.equal(isConflict(undefined), false);
});
