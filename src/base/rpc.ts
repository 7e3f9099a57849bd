/**
 * JSON-RPC errors as values that handlers throw.
 *
 * @module
 */

import type { ErrorCode, JsonRpcErrorObject } from "./errors.ts";

/** The codes that we answer with. */
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

/** What the agent's own table of codes says of an error. */
export interface RpcMeaning {
  /** A short name for people. */
  readonly name: string;
  /** What to do about it: one sentence. */
  readonly advice?: string;
  /** The error that it is for us; absent where only the method says that. */
  readonly error?: ErrorCode;
}

/** A JSON-RPC error: thrown by handlers to answer with it, and what a failed request rejects with. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data?: unknown;
  /** Set where the agent has told whose codes it uses. */
  readonly meaning?: RpcMeaning;

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
