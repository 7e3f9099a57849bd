/**
 * What stands between a transport and the protocol library.
 *
 * The library checks every message against the schema it was built with, and reports what it does
 * not know to the console. So notifications never reach it: they are handed over here, in the order
 * of the wire. Answers (the transport lets none pass that nobody waits for) are put into the one
 * shape that it takes.
 *
 * @module
 */

import type { AnyMessage } from "@agentclientprotocol/sdk";
import { setImmediate } from "node:timers";
import { isObject, type JsonObject } from "../base/guards.ts";
import { tell } from "../base/listeners.ts";
import { RPC } from "../base/rpc.ts";
import type { Transport, WireMessage } from "../transport/transport.ts";

/** What becomes of the messages that are not passed on. */
export interface SieveOptions {
  /** Called for every notification, in the order of the wire. */
  readonly onNotification: (method: string, params: unknown) => void;
  /** Called once when the agent can no longer be written to. */
  readonly onWriteFailed: () => void;
}

/** The stream that the protocol library works on. */
export interface SievedStream {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  /** Settles when the agent's side of the stream has ended; never rejects. */
  readonly ended: Promise<void>;
  /** Stops reading. Idempotent. */
  stop(): void;
}

/** The notification that the library handles itself. */
const CANCEL_REQUEST = "$/cancel_request";

/** Puts the sieve over a transport, whose streams are locked from then on. */
export function openSieve(transport: Transport, options: SieveOptions): SievedStream {
  const reader = transport.readable.getReader();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      // Runs beside the consumer: the next message is taken only when this one has been dealt with.
      void pump(controller);
    },
    cancel: (reason) => reader.cancel(reason),
  });

  async function pump(controller: ReadableStreamDefaultController<AnyMessage>): Promise<void> {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const passed = sieve(value);
        if (passed === undefined) continue;
        controller.enqueue(passed as AnyMessage);
        // An update that follows an answer belongs after it: whoever waits for the answer gets to
        // run first.
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      controller.close();
    } catch {
      // The connection broke, or the consumer has left.
      try {
        controller.close();
      } catch {
        // It was closed already.
      }
    } finally {
      end();
    }
  }

  function sieve(message: WireMessage): WireMessage | undefined {
    if (!("method" in message)) return mendAnswer(message);
    if ("id" in message || message.method === CANCEL_REQUEST) return message;
    notify(String(message.method), message.params);
    return undefined;
  }

  function notify(method: string, params: unknown): void {
    // A listener's fault must not cost the messages behind it.
    tell((value) => options.onNotification(method, value), params);
  }

  let writable = true;
  const writer = transport.writable.getWriter();
  // Each write reports its own failure.
  writer.closed.catch(() => {});
  return {
    readable,
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        try {
          if (writable) await writer.write(message);
        } catch {
          // What the agent has already written is still worth reading, so this is not the end yet.
          writable = false;
          options.onWriteFailed();
        }
      },
    }),
    ended,
    stop: () => void reader.cancel().catch(() => {}),
  };
}

/** The answer with a result or an error, never both, and an error that has a code and a message. */
function mendAnswer({ id, result, error }: WireMessage): WireMessage {
  return error === undefined || error === null
    ? { jsonrpc: "2.0", id, result: result ?? null }
    : { jsonrpc: "2.0", id, error: mendError(error) };
}

function mendError(error: unknown): JsonObject {
  if (!isObject(error)) {
    return {
      code: RPC.internalError,
      message: typeof error === "string" ? error : "Internal error",
    };
  }
  return {
    ...error,
    code: Number.isInteger(error.code) ? error.code : RPC.internalError,
    message: typeof error.message === "string" ? error.message : "Internal error",
  };
}
