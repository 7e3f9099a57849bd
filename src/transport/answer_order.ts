/**
 * The order of what comes over several streams.
 *
 * Over HTTP a session's messages may come on the session's stream and on the connection's: a server
 * that does not recognise an update as the session's sends it over the latter. The answer that ends a
 * turn can so overtake the last words of the turn.
 *
 * @module
 */

import { isObject } from "../base/guards.ts";

/** How long other messages are waited for, at most: while they keep coming, in milliseconds. */
const LONGEST_MS = 1_000;

/**
 * Lets messages pass that come within a moment of an answer to a prompt, or of an error; the
 * answer follows. Nothing is lost when the messages end or fail in that moment.
 *
 * @param quietMs how long nothing must have come for the answer to follow, in milliseconds
 */
export function answersLast(
  messages: ReadableStream<unknown>,
  quietMs: number,
): ReadableStream<unknown> {
  const reader = messages.getReader();
  let held: unknown[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;

  function release(controller: ReadableStreamDefaultController<unknown>): void {
    clearTimeout(timer);
    for (const answer of held) controller.enqueue(answer);
    held = [];
  }

  function take(message: unknown, controller: ReadableStreamDefaultController<unknown>): void {
    if (!endsTurn(message)) controller.enqueue(message);
    else if (held.push(message) === 1) since = performance.now();
    if (held.length === 0) return;
    if (performance.now() - since > LONGEST_MS) return release(controller);
    clearTimeout(timer);
    timer = setTimeout(() => release(controller), quietMs);
  }

  async function pump(controller: ReadableStreamDefaultController<unknown>): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        take(value, controller);
      }
      release(controller);
      controller.close();
    } catch (error) {
      release(controller);
      controller.error(error);
    }
  }

  return new ReadableStream({
    start(controller) {
      void pump(controller);
    },
    cancel(reason) {
      clearTimeout(timer);
      held = [];
      return reader.cancel(reason);
    },
  });
}

function endsTurn(message: unknown): boolean {
  if (!isObject(message) || "method" in message) return false;
  return "error" in message || (isObject(message.result) && "stopReason" in message.result);
}
