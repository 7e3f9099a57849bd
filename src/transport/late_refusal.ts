/**
 * Refusals that come when the next message has been sent already.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";
import type { ConnectionEvents } from "./connection_events.ts";
import { CONFLICT } from "./request_failure.ts";

/** Statuses that say that the connection cannot be used any more. */
const LASTING: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/**
 * Does what the protocol library does with a refusal that comes in time: a request is answered with
 * it; what nobody waits for an answer to ends the connection, unless it was for a session that is
 * lost.
 *
 * @param message that was refused, as JSON
 */
export async function lateRefusal(
  response: Response,
  message: string,
  events: ConnectionEvents,
): Promise<void> {
  const { status } = response;
  const body = await response.text();
  const sent: unknown = JSON.parse(message);
  const id = isObject(sent) && "method" in sent ? sent.id : undefined;
  if (LASTING.has(status) || (id === undefined && status !== CONFLICT)) {
    return events.fail(Object.assign(new Error("ACP POST failed"), { status, body }));
  }
  if (id === undefined) return;
  const error = { code: -32603, message: "ACP POST failed", data: { status, body } };
  events.add({ jsonrpc: "2.0", id, error });
}
