import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { RpcError } from "../../src/base/rpc.ts";
import { describeRpcError, fromAgentError } from "../../src/client/errors.ts";
import { markFailure } from "../../src/transport/library_errors.ts";

Deno.test("describeRpcError() finds the cause wherever agents put it", async (t) => {
  const cases: [unknown, string][] = [
    [undefined, "Internal error (code -32603)"],
    [null, "Internal error (code -32603)"],
    [{}, "Internal error (code -32603)"],
    ["disk full", "Internal error: disk full (code -32603)"],
    [{ details: "disk full" }, "Internal error: disk full (code -32603)"],
    [{ message: "disk full." }, "Internal error: disk full (code -32603)"],
    [{ error: { message: "disk full" } }, "Internal error: disk full (code -32603)"],
    [{ cause: { data: { detail: "disk full" } } }, "Internal error: disk full (code -32603)"],
    [{ details: "", reason: "disk full" }, "Internal error: disk full (code -32603)"],
    [{ retryAfter: 5 }, 'Internal error: {"retryAfter":5} (code -32603)'],
    ['{"error":{"message":"disk full"}}', "Internal error: disk full (code -32603)"],
    ["a\nb\u001b[31m", "Internal error: a⏎b (code -32603)"],
  ];
  for (const [data, text] of cases) {
    await t.step(JSON.stringify(data) ?? "no data", () => {
      assert.equal(describeRpcError({ code: -32603, message: "Internal error", data }), text);
    });
  }
});

Deno.test("describeRpcError() says a cause once, and reads one that is JSON in the message", () => {
  const data = { details: "no credit" };
  assert.equal(
    describeRpcError({ code: 402, message: "Failed: no credit", data }),
    "Failed: no credit (code 402)",
  );
  assert.equal(
    describeRpcError({ code: 400, message: '{"error":{"code":400,"message":"bad model"}}' }),
    "bad model (code 400)",
  );
});

Deno.test("describeRpcError() shows no secret of a request that the agent repeats", () => {
  const mcpServers = [
    { name: "db", command: "db-mcp", env: [{ name: "KEY", value: "s3cret" }] },
    { name: "web", url: "http://h/", headers: [{ name: "X-Any", value: "s3cret" }] },
  ];
  const data = { sessionId: "s1", mcpServers, token: "s3cret" };
  const text = describeRpcError({ code: -32001, message: "Session not found", data });
  assert.match(text, /"sessionId":"s1".*db-mcp/);
  assert.doesNotMatch(text, /s3cret/);
});

Deno.test("describeRpcError() stays short whatever the data is", () => {
  const huge = "x".repeat(5_000_000);
  for (const data of [huge, { details: huge }, { unknown: huge }, { a: { b: { c: huge } } }]) {
    const text = describeRpcError({ code: -32603, message: "Internal error", data });
    assert.ok(text.length < 2_100, `${text.length} characters`);
    assert.match(text, /xxx…/);
  }
});

Deno.test("fromAgentError() gives advice about requests that did not reach the agent", () => {
  const failure = (status: number) => {
    const data = { status, body: "<html>" };
    markFailure({ error: { data } });
    return fromAgentError(
      new RpcError(-32603, `why (HTTP ${status})`, data, { name: "internal error" }),
      { what: "The turn failed", method: "session/prompt", code: "turn_failed" },
    );
  };
  const { message, hint, code } = failure(413);
  assert.equal(message, "The turn failed: why (HTTP 413)");
  assert.match(hint ?? "", /Send less/);
  assert.equal(code, "turn_failed");
  assert.match(failure(409).hint ?? "", /\/reconnect/);
});

Deno.test("fromAgentError() knows what an error means by its code and its words", async (t) => {
  const gone = "Session not found: s0";
  const cases: [string, number, string, unknown, string][] = [
    ["session/new", -32000, "Authentication required", undefined, "auth"],
    ["session/prompt", -32000, "sign in first", undefined, "auth"],
    ["session/load", -32002, "Resource not found", { sessionId: "s0" }, "session_not_found"],
    ["session/load", -32603, "Internal error", { details: gone }, "session_not_found"],
    ["session/load", -32602, "Invalid params", undefined, "session_not_found"],
    ["session/resume", -32603, "Internal error", gone, "session_not_found"],
    ["session/prompt", -32602, "Unknown session s0", undefined, "session_not_found"],
    ["session/prompt", -32603, "Internal error", { details: "no credit" }, "turn_failed"],
    ["session/prompt", -32602, "Invalid params", undefined, "turn_failed"],
    ["session/prompt", 500, gone, undefined, "turn_failed"],
    ["session/new", -32603, "Internal error", { details: gone }, "turn_failed"],
    ["session/new", -32000, "no", undefined, "auth"],
    ["session/new", -32603, "Internal error", { details: "Authentication required" }, "auth"],
    ["session/prompt", -32603, "Internal error", "Error: you are not logged in", "auth"],
    ["session/list", -32601, "Method not found", undefined, "not_supported"],
  ];
  for (const [method, code, message, data, expected] of cases) {
    await t.step(`${method} ${code} ${message}`, () => {
      const error = fromAgentError(new RpcError(code, message, data), {
        what: "Cannot do it",
        method,
        code: "turn_failed",
        stderr: "tail",
      });
      assert.equal(error.code, expected);
      assert.match(error.message, /^Cannot do it: /);
      assert.deepEqual(error.rpc, { code, message, ...(data === undefined ? {} : { data }) });
      assert.equal(error.phase, method);
      assert.equal(error.stderr, "tail");
    });
  }
});

Deno.test("fromAgentError() passes our own errors on", () => {
  const error = new MmError("agent_died", "gone");
  assert.equal(fromAgentError(error, { what: "x", method: "session/prompt" }), error);
});
