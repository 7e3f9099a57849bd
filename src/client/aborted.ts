/**
 * Waiting that ends when the request it is for is taken back.
 *
 * @module
 */

import { RPC, RpcError } from "../base/rpc.ts";

/** The value of `promise`; throws the "request cancelled" error as soon as `signal` aborts. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(new RpcError(RPC.requestCancelled, "Request cancelled"));
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
