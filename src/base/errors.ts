/**
 * The one error class of the program and the one table that maps error codes to exit statuses.
 *
 * @module
 */

/** One row of {@link ERROR_TABLE}. */
export interface ErrorRow {
  /** Exit status of the process when a run ends because of this error. */
  readonly exit: number;
  /** What the status means, as the README and `--help` print it. */
  readonly meaning: string;
}

/**
 * Every error code, with the exit status that it leads to and what that means.
 *
 * ```ts
 * import { ERROR_TABLE } from "@mm/repl";
 *
 * console.assert(ERROR_TABLE.timeout.exit === 5);
 * ```
 */
export const ERROR_TABLE = {
  turn_failed: { exit: 1, meaning: "the agent answered the prompt with an error" },
  refusal: { exit: 1, meaning: "the agent refused the prompt" },
  agent_died: { exit: 1, meaning: "the agent ended, or its connection was lost, in a turn" },
  not_supported: { exit: 1, meaning: "the agent does not offer what was asked" },
  session_not_found: { exit: 1, meaning: "the agent does not know the session" },
  request_failed: { exit: 1, meaning: "the agent answered a request with an error" },
  tool: { exit: 1, meaning: "a client tool could not be loaded or failed" },
  output_failed: {
    exit: 1,
    meaning: "the output could not be written (a full disk?)",
  },
  internal: { exit: 1, meaning: "a fault of mm-repl itself" },
  usage: { exit: 2, meaning: "a flag, argument or prompt is wrong" },
  config: { exit: 2, meaning: "a configuration file is wrong" },
  agent_not_found: { exit: 3, meaning: "the agent's command was not found" },
  agent_directory: { exit: 3, meaning: "the working directory does not exist" },
  agent_exited: { exit: 3, meaning: "the agent ended before it was ready" },
  agent_silent: { exit: 3, meaning: "the agent did not answer in time" },
  protocol_version: { exit: 3, meaning: "the agent speaks another protocol version" },
  handshake: { exit: 3, meaning: "the handshake with the agent failed" },
  permission_denied: {
    exit: 4,
    meaning: "a permission was denied by default: nobody was asked",
  },
  timeout: { exit: 5, meaning: "the run timed out" },
  auth: { exit: 6, meaning: "authentication is required or failed" },
  max_tokens: { exit: 7, meaning: "the turn ended at the token limit" },
  max_turn_requests: { exit: 8, meaning: "the turn ended at the limit of model requests" },
  cancelled: { exit: 9, meaning: "the agent cancelled the turn" },
  unknown_stop_reason: { exit: 10, meaning: "the turn ended for a reason that is not known" },
  hangup: { exit: 129, meaning: "ended by SIGHUP" },
  interrupted: { exit: 130, meaning: "ended by SIGINT or Ctrl-C" },
  quit: { exit: 131, meaning: "ended by SIGQUIT or Ctrl-\\" },
  output_closed: { exit: 141, meaning: "the reader of the output went away" },
  terminated: { exit: 143, meaning: "ended by SIGTERM" },
} as const satisfies Record<string, ErrorRow>;

/**
 * A stable error code; part of the library's contract.
 *
 * ```ts
 * import type { ErrorCode } from "@mm/repl";
 *
 * const worthAnotherTry: readonly ErrorCode[] = ["agent_died", "timeout"];
 * ```
 */
export type ErrorCode = keyof typeof ERROR_TABLE;

/**
 * A JSON-RPC error object as it came over the wire.
 *
 * ```ts
 * import type { JsonRpcErrorObject } from "@mm/repl";
 *
 * const error: JsonRpcErrorObject = { code: -32602, message: "Invalid params" };
 * ```
 */
export interface JsonRpcErrorObject {
  /** -32700 to -32600 are JSON-RPC's own. */
  readonly code: number;
  /** Often the kind of the error alone. */
  readonly message: string;
  /** Often the cause, in whatever form. */
  readonly data?: unknown;
}

/**
 * What may accompany an {@link MmError}.
 *
 * ```ts
 * import { MmError, type MmErrorOptions } from "@mm/repl";
 *
 * const options: MmErrorOptions = { phase: "session/new", hint: "Sign in first." };
 * console.assert(new MmError("auth", "Cannot open a session", options).hint === "Sign in first.");
 * ```
 */
export interface MmErrorOptions {
  /** What the user can do about it: one sentence, with its full stop. */
  readonly hint?: string;
  /** Last lines of the agent's stderr, when the agent is the cause. */
  readonly stderr?: string;
  /** The raw JSON-RPC error, when one is the cause. */
  readonly rpc?: JsonRpcErrorObject;
  /** The step of the handshake that failed, e.g. `initialize` or `session/new`. */
  readonly phase?: string;
  /** How long a server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The error underneath. */
  readonly cause?: unknown;
}

/**
 * The error of everything that fails, apart from {@link RpcError}.
 *
 * `message` says what could not be done and why ("Cannot start "mm -acp": command not found"),
 * without a full stop; `hint` says what to do next.
 *
 * ```ts
 * import { connect, MmError } from "@mm/repl";
 *
 * try {
 *   await connect("no-such-agent --acp");
 * } catch (error) {
 *   console.assert(error instanceof MmError && error.code === "agent_not_found");
 * }
 * ```
 */
export class MmError extends Error {
  /** Name of the class. */
  override readonly name: string = "MmError";
  /** What went wrong, for programs. */
  readonly code: ErrorCode;
  /** What the user can do about it. */
  readonly hint?: string;
  /** The agent's last stderr lines, when the agent is the cause. */
  readonly stderr?: string;
  /** The error on the wire, when one is the cause. */
  readonly rpc?: JsonRpcErrorObject;
  /** The step or request that failed, e.g. `session/new`. */
  readonly phase?: string;
  /** How long a server asks to wait before the next try, in milliseconds. */
  readonly retryAfterMs?: number;

  /** See the class for what a message says. */
  constructor(code: ErrorCode, message: string, options: MmErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.stderr = options.stderr;
    this.rpc = options.rpc;
    this.phase = options.phase;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Exit status of a run that ends because of this error. */
  get exit(): number {
    return ERROR_TABLE[this.code].exit;
  }
}

/** Turns anything thrown into an {@link MmError}; one that is already one comes back as it is. */
export function toMmError(error: unknown, code: ErrorCode = "internal"): MmError {
  if (error instanceof MmError) return error;
  return new MmError(code, messageOf(error), { cause: error });
}

/** The message of anything thrown, for one line of text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
