import assert from "node:assert/strict";
import { LostAfterAnswer, openingError } from "../../src/api/opening_error.ts";
import { NotAvailable } from "../../src/base/acp_errors.ts";
import { memoryTransportPair } from "../../src/transport/memory.ts";

Deno.test("openingError() says whether an agent that has ended had answered", async () => {
  const { transport } = memoryTransportPair();
  const told = async (error: Error) => {
    const connection = { transport, closed: Promise.resolve({ reason: "exit status 9" }) };
    const { code, message } = await openingError(error, { how: "new" }, {
      spec: { kind: "demo" },
      connection,
      timeoutMs: 1_000,
      stderr: "",
    });
    assert.equal(code, "agent_exited");
    return message;
  };
  assert.match(await told(new NotAvailable("gone")), /status 9 before it answered session\/new$/);
  assert.match(
    await told(new LostAfterAnswer("gone")),
    /status 9 right after it answered session\/new$/,
  );
  await transport.close();
});
