/** Calls handlers of a router like an agent would. */

import assert from "node:assert/strict";
import { RpcError } from "../../src/base/rpc.ts";
import type { MethodRouter } from "../../src/client/router.ts";

/** The session that the tests pretend to have. */
export const SESSION = "s1";

/** Calls a method in the session {@link SESSION} and gives its result. */
export async function call(
  router: MethodRouter,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const handler = router.request(method);
  assert.ok(handler, `${method} is registered`);
  return await handler({ sessionId: SESSION, ...params }, { requestId: 1, signal });
}

/** Calls a method that is expected to fail, and gives the error's code and message. */
export async function failure(
  router: MethodRouter,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<RpcError> {
  try {
    await call(router, method, params);
  } catch (error) {
    assert.ok(error instanceof RpcError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `${method} did not fail` });
}
