/**
 * Errors that the protocol library answers requests with by itself, put in words.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import { describeStatus, explainStatus } from "./remote_errors.ts";
import { rememberFailure } from "./request_failure.ts";

/** How the protocol library words errors that it answers requests with; a server may begin alike. */
const LIBRARY =
  /^ACP (?:POST failed|SSE connection failed|SSE response missing body|session SSE stream closed)/;
/** How it says that the answer to a request can no longer come. */
const SESSION_CLOSED = "ACP session SSE stream closed";

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

/** Lets `requestFailure` know what {@link inWords} gave, once nobody copies it any more. */
export function markFailure(message: unknown): void {
  if (!isObject(message) || !isObject(message.error)) return;
  const { data } = message.error;
  if (!isObject(data)) return;
  const { status } = data;
  rememberFailure(
    data,
    typeof status === "number"
      ? { status, hint: explainStatus(status).hint }
      : { hint: "It may be at work on it all the same." },
  );
}
