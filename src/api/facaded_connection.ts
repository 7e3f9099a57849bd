/**
 * A connection whose own requests are answered in this process where a facade can.
 *
 * @module
 */

import { within } from "../base/clock.ts";
import { messageOf, MmError } from "../base/errors.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import { unlessAborted } from "../client/aborted.ts";
import type { AgentConnection, RequestOptions } from "../client/connection.ts";
import type { Facade } from "./facade.ts";

/** Puts a facade before a connection. `update` takes what services send as `session/update`. */
export function facadedConnection(
  connection: AgentConnection,
  facade: Facade,
  update: (params: unknown) => void,
): AgentConnection {
  async function dispatch(
    method: string,
    params: unknown,
    { signal, timeoutMs }: RequestOptions,
  ): Promise<unknown> {
    const abort = new AbortController();
    const either = AbortSignal.any([abort.signal, ...(signal === undefined ? [] : [signal])]);
    const answer = facade.dispatch(method, params, { signal: either, update }).catch((error) => {
      if (error instanceof RpcError || error instanceof MmError) throw error;
      throw new RpcError(RPC.internalError, messageOf(error));
    });
    const answered = unlessAborted(answer, either);
    if (timeoutMs === undefined) return await answered;
    const timed = await within(answered, timeoutMs);
    if (timed.ok) return timed.value;
    answered.catch(() => {});
    abort.abort();
    throw new MmError("timeout", `No answer to ${method} within ${timeoutMs / 1_000} s`, {
      phase: method,
    });
  }

  return {
    get initialized() {
      return connection.initialized;
    },
    router: connection.router,
    closed: connection.closed,
    transport: connection.transport,
    close: () => connection.close(),
    request: (method, params = {}, options = {}) =>
      facade.handles(method)
        ? dispatch(method, params, options)
        : connection.request(method, params, options),
    async notify(method, params = {}) {
      if (facade.handles(method)) await facade.dispatch(method, params, { update });
      else await connection.notify(method, params);
    },
  };
}
