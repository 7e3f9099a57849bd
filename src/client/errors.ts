/**
 * From an agent's JSON-RPC errors to the program's own.
 *
 * @module
 */

import { type ErrorCode, type JsonRpcErrorObject, messageOf, MmError } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { parseJson } from "../base/json.ts";
import { RPC, RpcError, type RpcMeaning } from "../base/rpc.ts";
import { sanitizeLine } from "../base/sanitize.ts";
import { redact } from "../transport/redact.ts";
import { requestFailure } from "../transport/request_failure.ts";

/** Longest cause that is quoted, in characters. */
const MAX_CAUSE = 2_000;

/** How deep `data` is searched for a cause. */
const MAX_DEPTH = 4;

/** Where agents put the cause, the likeliest first. */
const CAUSE_KEYS = ["details", "detail", "message", "error", "reason", "cause", "data"] as const;

/** What some agents answer for anything that they do not have. */
const ENTITY_NOT_FOUND = -32001;

const NO_SUCH_SESSION =
  /session\b.{0,80}\b(not found|not exist|unknown|no longer|expired)|(unknown|no such|invalid|not found:?|find|\bno (previous|earlier|saved))\s.{0,20}session/i;

/** How agents word it that have no code for it. */
const NOT_SIGNED_IN =
  /\b(authentication|login|sign[- ]?in) (is )?required\b|\bnot (authenticated|logged in|signed in)\b|\bunauthenticated\b/i;

/** What a request was for. */
export interface FailedRequest {
  /** What could not be done, e.g. `Cannot load the session s1`. */
  readonly what: string;
  /** The method that failed. */
  readonly method: string;
  /** The code unless the error says more. Default `request_failed`. */
  readonly code?: ErrorCode;
  /** The agent's last stderr lines. */
  readonly stderr?: string;
}

/**
 * The error to throw for a request that the agent answered with an error. An `MmError` comes back
 * as it is; the agent's own error stays attached as `rpc`.
 */
export function fromAgentError(error: unknown, request: FailedRequest): MmError {
  if (error instanceof MmError) return error;
  if (!(error instanceof RpcError)) {
    const code = request.code ?? "request_failed";
    return new MmError(code, `${request.what}: ${messageOf(error)}`, {
      cause: error,
      phase: request.method,
      stderr: request.stderr,
    });
  }
  const rpc = error.toObject();
  const { meaning } = error;
  const code = codeOf(rpc, request, meaning);
  const why = describeRpcError(withoutNamed(rpc, request.what), meaning);
  return new MmError(code, `${request.what}: ${why}`, {
    rpc,
    cause: error,
    phase: request.method,
    stderr: request.stderr,
    hint: requestFailure(rpc)?.hint ?? meaning?.advice ?? HINTS[code],
  });
}

/** The error without data that only repeats what the request names. */
function withoutNamed(rpc: JsonRpcErrorObject, what: string): JsonRpcErrorObject {
  const values = isObject(rpc.data) ? Object.values(rpc.data) : [];
  const isNamed = values.every((value) => typeof value === "string" && what.includes(value));
  return isNamed && values.length > 0 ? { code: rpc.code, message: rpc.message } : rpc;
}

const HINTS: Partial<Record<ErrorCode, string>> = {
  auth: "Sign in to the agent first, then try again.",
  session_not_found: "/sessions lists those that the agent knows (also `mm-repl sessions`), " +
    "/new starts another.",
};

/**
 * One line that says what went wrong: the message, the cause found in `data`, and the code with the
 * name that it has with this agent. At most about 2,000 characters, sanitised.
 */
export function describeRpcError(error: JsonRpcErrorObject, meaning?: RpcMeaning): string {
  // What never reached the agent has no code of its.
  if (requestFailure(error) !== undefined) return tidy(error.message);
  const message = tidy(causeIn(error.message, 0) ?? error.message) || "no message";
  const cause = tidy(causeIn(error.data, 0) ?? rest(error.data));
  const text = cause === "" || message.includes(cause) ? message : `${message}: ${cause}`;
  const name = meaning === undefined ? "" : `${meaning.name}, `;
  return `${cut(text)} (${name}code ${error.code})`;
}

function codeOf(
  error: JsonRpcErrorObject,
  request: FailedRequest,
  meaning?: RpcMeaning,
): ErrorCode {
  if (meaning?.error !== undefined) return meaning.error;
  if (error.code === RPC.authRequired) return "auth";
  if (error.code === RPC.internalError && NOT_SIGNED_IN.test(describeRpcError(error))) {
    return "auth";
  }
  if (isMissingSession(error, request.method)) return "session_not_found";
  if (error.code === RPC.methodNotFound) return "not_supported";
  return request.code ?? "request_failed";
}

/** True when the error says that the session does not exist; agents differ in how they do. */
function isMissingSession(error: JsonRpcErrorObject, method: string): boolean {
  if (!method.startsWith("session/") || method === "session/new") return false;
  const opens = method === "session/load" || method === "session/resume";
  switch (error.code) {
    case RPC.resourceNotFound:
      return true;
    case ENTITY_NOT_FOUND:
    case RPC.invalidParams:
      return opens || NO_SUCH_SESSION.test(describeRpcError(error));
    case RPC.internalError:
      return NO_SUCH_SESSION.test(describeRpcError(error));
    default:
      return false;
  }
}

/** The first text that looks like a cause: a string, one of the usual fields, or JSON in a string. */
function causeIn(value: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === "string") {
    const isJson = value.startsWith("{") && value.length < MAX_CAUSE;
    return (isJson ? causeIn(parseJson(value), depth + 1) : undefined) ?? value;
  }
  if (!isObject(value)) return undefined;
  for (const key of CAUSE_KEYS) {
    const found = causeIn(value[key], depth + 1);
    if (found !== undefined && found.trim() !== "") return found;
  }
  return undefined;
}

/** What `data` holds when nothing in it has a name that we know: often what was asked, secrets too. */
function rest(data: unknown): string {
  if (data === undefined || data === null) return "";
  if (isObject(data) && Object.keys(data).length === 0) return "";
  return JSON.stringify(redact(data)) ?? "";
}

function tidy(text: string): string {
  return cut(sanitizeLine(text.slice(0, MAX_CAUSE * 2)).trim().replace(/\.$/, ""));
}

function cut(text: string): string {
  return text.length <= MAX_CAUSE ? text : text.slice(0, MAX_CAUSE - 1) + "…";
}
