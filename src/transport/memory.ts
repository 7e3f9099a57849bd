/**
 * A transport to an agent in this process.
 *
 * @module
 */

import { TailBuffer } from "../process/tail_buffer.ts";
import { MessageGate } from "./message_gate.ts";
import type { TraceTap, Transport, WireMessage } from "./transport.ts";

/** The agent's end of a pair. */
export interface MemoryPeer {
  /** Messages from the client. Ends when the client closes the transport. */
  readonly readable: ReadableStream<WireMessage>;
  /** Messages to the client. Closing it ends the connection. */
  readonly writable: WritableStream<WireMessage>;
  /** Takes a line of what the agent would write on its stderr. */
  stderrLine(line: string): void;
}

const STDERR_LIMIT = 64 * 1024;

/**
 * Opens both ends of a connection in memory. Messages are copied as JSON, as on a wire, and pass the
 * same checks.
 */
export function memoryTransportPair(
  options: { readonly tap?: TraceTap } = {},
): { readonly transport: Transport; readonly peer: MemoryPeer } {
  const gate = new MessageGate(options.tap);
  const stderr = new TailBuffer(STDERR_LIMIT);
  const encoder = new TextEncoder();
  if (options.tap !== undefined) stderr.onLine((line) => options.tap?.note(`stderr: ${line}`));

  const ended = Promise.withResolvers<{ reason: string }>();
  const toPeer = new MessageQueue(() => end("the agent closed the connection"));
  const toClient = new MessageQueue(() => end("the connection was closed"));
  function end(reason: string): void {
    toPeer.close();
    toClient.close();
    ended.resolve({ reason });
  }

  const transport: Transport = {
    readable: toClient.readable,
    writable: new WritableStream({
      write(message) {
        gate.outgoing(message);
        toPeer.push(JSON.parse(JSON.stringify(message)));
      },
      close: () => end("the connection was closed"),
      abort: () => end("the connection was closed"),
    }),
    closed: ended.promise,
    stderr: () => stderr.text(),
    watchStderr: () => stderr.watch(),
    onStderrLine: (listener) => stderr.onLine(listener),
    noise: () => gate.noise(),
    close() {
      end("the connection was closed");
      return Promise.resolve();
    },
  };
  const peer: MemoryPeer = {
    readable: toPeer.readable,
    writable: new WritableStream({
      write(message) {
        const passed = gate.incomingLine(JSON.stringify(message));
        if (passed !== undefined) toClient.push(passed);
      },
      close: () => end("the agent closed the connection"),
      abort: () => end("the agent closed the connection"),
    }),
    stderrLine: (line) => void stderr.push(encoder.encode(`${line}\n`)),
  };
  return { transport, peer };
}

/** One direction. */
class MessageQueue {
  readonly readable: ReadableStream<WireMessage>;
  #controller: ReadableStreamDefaultController<WireMessage> | undefined;

  /** @param onCancel the reader has left */
  constructor(onCancel: () => void) {
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = undefined;
        onCancel();
      },
    });
  }

  /** Adds a message; after the end it is dropped. */
  push(message: WireMessage): void {
    this.#controller?.enqueue(message);
  }

  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }
}
