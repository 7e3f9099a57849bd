/**
 * Requests that did not reach a remote agent, or whose answers did not reach us.
 *
 * @module
 */

import type { JsonRpcErrorObject } from "../base/errors.ts";
import { isObject } from "../base/guards.ts";
import { CONFLICT } from "./refusal.ts";
import { describeStatus, explainStatus } from "./remote_errors.ts";

/** How the protocol library words errors that it answers requests with; a server may begin alike. */
const LIBRARY =
  /^ACP (?:POST failed|SSE connection failed|SSE response missing body|session SSE stream closed)/;
/** How it says that the answer to a request can no longer come. */
const SESSION_CLOSED = "ACP session SSE stream closed";

/** The `data` of such errors. What an agent sends is never among them, whatever it looks like. */
const ours = new WeakSet<object>();

/**
 * What to pass on for an answer that the protocol library gave by itself: it says in words what has
 * happened. `undefined` for everything that the agent says.
 */
export function inWords(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.error)) return undefined;
  const { message: said, data } = message.error;
  if (typeof said !== "string" || !LIBRARY.test(said)) return undefined;
  const { status, body } = isObject(data) ? data : {};
  const known = typeof status === "number";
  const text = known
    ? describeStatus(status, body)
    : said === SESSION_CLOSED
    ? "the server closed the session's stream, so nobody knows how far it came"
    : said;
  const told = known ? { status, body } : {};
  return { ...message, error: { ...message.error, message: text, data: told } };
}

/** Lets {@link requestFailure} know what {@link inWords} gave, once nobody copies it any more. */
export function markFailure(message: unknown): void {
  if (!isObject(message) || !isObject(message.error)) return;
  if (isObject(message.error.data)) ours.add(message.error.data);
}

/** That a request did not reach the agent, or its answer not us. */
export interface RequestFailure {
  /** Of HTTP; absent where there was none. */
  readonly status?: number;
  readonly hint: string;
}

/** Reads an error that {@link markFailure} has marked; `undefined` for the agent's own. */
export function requestFailure({ data }: JsonRpcErrorObject): RequestFailure | undefined {
  if (!isObject(data) || !ours.has(data)) return undefined;
  if (typeof data.status !== "number") return { hint: "It may be at work on it all the same." };
  return { status: data.status, hint: explainStatus(data.status).hint };
}

/** Whether a request failed because another connection has the session. */
export function isConflict(error: JsonRpcErrorObject | undefined): boolean {
  return error !== undefined && requestFailure(error)?.status === CONFLICT;
}
