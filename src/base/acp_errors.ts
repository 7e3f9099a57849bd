/**
 * The errors of talking to an agent that callers tell apart by class; each has its code as well.
 *
 * @module
 */

import { type ErrorCode, MmError, type MmErrorOptions } from "./errors.ts";
import { RPC } from "./rpc.ts";

/**
 * What the three errors that callers tell apart by class have in common.
 *
 * ```ts
 * import { AcpError, NotAvailable } from "@mm/repl";
 *
 * console.assert(new NotAvailable("Lost the agent") instanceof AcpError);
 * ```
 */
export class AcpError extends MmError {
  /** Name of the class. */
  override readonly name: string = "AcpError";

  /** See {@link MmError}. */
  constructor(code: ErrorCode, message: string, options?: MmErrorOptions) {
    super(code, message, options);
  }
}

/**
 * What may accompany a {@link NotAvailable}.
 *
 * ```ts
 * import { NotAvailable, type NotAvailableOptions } from "@mm/repl";
 *
 * const options: NotAvailableOptions = { code: "not_supported", hint: "Give it a service." };
 * console.assert(new NotAvailable("There is no service", options).code === "not_supported");
 * ```
 */
export interface NotAvailableOptions extends MmErrorOptions {
  /** Default `agent_died`. */
  readonly code?: "agent_died" | "not_supported";
}

/**
 * Something was asked of an agent or a service that is not there. Code `agent_died` where the agent is
 * lost, `not_supported` where a service was never given.
 *
 * ```ts
 * import { NotAvailable } from "@mm/repl";
 *
 * console.assert(new NotAvailable("Lost the agent").code === "agent_died");
 * ```
 */
export class NotAvailable extends AcpError {
  /** Name of the class. */
  override readonly name: string = "NotAvailable";

  /** The message says what is not available; `code` is `agent_died` unless given. */
  constructor(
    message: string,
    { code = "agent_died", ...options }: NotAvailableOptions = {},
  ) {
    super(code, message, options);
  }
}

/**
 * Whether a request failed because its connection ended, not by an answer: then the agent is lost,
 * for want of credentials perhaps.
 */
export function isLoss({ code, rpc }: { readonly code: string; readonly rpc?: unknown }): boolean {
  return rpc === undefined && (code === "agent_died" || code === "auth");
}

/**
 * The agent speaks another version of the protocol. Code `protocol_version`.
 *
 * ```ts
 * import { VersionMismatch } from "@mm/repl";
 *
 * console.assert(new VersionMismatch("It speaks version 2").exit === 3);
 * ```
 */
export class VersionMismatch extends AcpError {
  /** Name of the class. */
  override readonly name: string = "VersionMismatch";

  /** The message says which version it speaks. */
  constructor(message: string, options?: MmErrorOptions) {
    super("protocol_version", message, options);
  }
}

/**
 * A method that nobody answers. Code `not_supported`; `rpc` has the code -32601.
 *
 * ```ts
 * import { OperationNotFound } from "@mm/repl";
 *
 * console.assert(new OperationNotFound("_x/y").rpc?.code === -32601);
 * ```
 */
export class OperationNotFound extends AcpError {
  /** Name of the class. */
  override readonly name: string = "OperationNotFound";

  /** The message names the method. */
  constructor(method: string, options?: MmErrorOptions) {
    const message = `Method not found: ${method}`;
    super("not_supported", message, {
      rpc: { code: RPC.methodNotFound, message, data: { method } },
      ...options,
    });
  }
}
