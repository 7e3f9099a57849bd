/**
 * The errors of talking to an agent that callers tell apart by class; each has its code as well.
 *
 * @module
 */

import { type ErrorCode, MmError, type MmErrorOptions } from "./errors.ts";
import { RPC } from "./rpc.ts";

/** What the three below have in common. */
export class AcpError extends MmError {
  override readonly name: string = "AcpError";

  constructor(code: ErrorCode, message: string, options?: MmErrorOptions) {
    super(code, message, options);
  }
}

/** Something was asked of an agent or a service that is not connected. Code `agent_died`. */
export class NotAvailable extends AcpError {
  override readonly name = "NotAvailable";

  constructor(message: string, options?: MmErrorOptions) {
    super("agent_died", message, options);
  }
}

/** The agent speaks another version of the protocol. Code `protocol_version`. */
export class VersionMismatch extends AcpError {
  override readonly name = "VersionMismatch";

  constructor(message: string, options?: MmErrorOptions) {
    super("protocol_version", message, options);
  }
}

/** A method that nobody answers. Code `not_supported`; `rpc` has the code -32601. */
export class OperationNotFound extends AcpError {
  override readonly name = "OperationNotFound";

  constructor(method: string, options?: MmErrorOptions) {
    const message = `Method not found: ${method}`;
    super("not_supported", message, {
      rpc: { code: RPC.methodNotFound, message, data: { method } },
      ...options,
    });
  }
}
