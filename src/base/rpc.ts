/**
 * JSON-RPC errors as values that handlers throw.
 *
 * @module
 */

import type { ErrorCode, JsonRpcErrorObject } from "./errors.ts";

/**
 * Codes of JSON-RPC errors: those of JSON-RPC and of ACP.
 *
 * ```ts
 * import { RPC } from "@mm/repl";
 *
 * console.assert(RPC.methodNotFound === -32601);
 * ```
 */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  authRequired: -32000,
  resourceNotFound: -32002,
  requestCancelled: -32800,
} as const;

/**
 * What the agent's own table of codes says of an error.
 *
 * ```ts
 * import type { RpcMeaning } from "@mm/repl";
 *
 * const meaning: RpcMeaning = { name: "BUDGET_EXCEEDED", advice: "Raise the budget." };
 * ```
 */
export interface RpcMeaning {
  /** A short name for people. */
  readonly name: string;
  /** What to do about it: one sentence. */
  readonly advice?: string;
  /** The error that it is for us; absent where only the method says that. */
  readonly error?: ErrorCode;
}

/**
 * A JSON-RPC error: thrown by handlers to answer with it, and what a failed request rejects with.
 *
 * ```ts
 * import { connect, RPC, RpcError } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" });
 * client.onExtension("_editor/selection", () => {
 *   throw new RpcError(RPC.resourceNotFound, "Nothing is selected");
 * });
 * await client.request("_nobody/knows").catch((error) => {
 *   console.assert(error instanceof RpcError && error.code === RPC.methodNotFound);
 * });
 * ```
 */
export class RpcError extends Error {
  /** Name of the class. */
  override readonly name: string = "RpcError";
  /** See {@link RPC}. */
  readonly code: number;
  /** More about it, in whatever form. */
  readonly data?: unknown;
  /** Set where the agent has told whose codes it uses. */
  readonly meaning?: RpcMeaning;

  /** An error as it goes over the wire. */
  constructor(code: number, message: string, data?: unknown, meaning?: RpcMeaning) {
    super(message);
    this.code = code;
    this.data = data;
    this.meaning = meaning;
  }

  /** The error as it goes over the wire. */
  toObject(): JsonRpcErrorObject {
    return {
      code: this.code,
      message: this.message,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
  }
}
