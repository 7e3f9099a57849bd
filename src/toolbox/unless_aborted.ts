/** @module */

import { RPC, RpcError } from "../base/rpc.ts";

/** The value, unless the signal aborts first: then the error that answers a cancelled request. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = () => new RpcError(RPC.requestCancelled, "Request cancelled");
  if (signal.aborted) throw cancelled();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(cancelled());
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
