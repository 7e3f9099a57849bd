/**
 * A WebSocket as a pair of streams, with headers on its opening request.
 *
 * @module
 */

import { type RemoteStream, SocketClosed } from "./remote_stream.ts";

/** Deno's own constructor, which takes headers; the type that browsers share does not have them. */
const HeaderedWebSocket = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/** How a WebSocket is opened. */
export interface WebSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Aborting it gives up connecting. */
  readonly signal: AbortSignal;
  /** Longest message, in bytes or characters of text; a longer one ends the connection. */
  readonly maxMessageBytes: number;
}

/** Connects; rejects with what Deno says when that fails or the signal is aborted. */
export async function openWebSocket(
  url: string,
  { headers, signal, maxMessageBytes }: WebSocketOptions,
): Promise<RemoteStream> {
  const socket = new HeaderedWebSocket(url, { headers });
  socket.binaryType = "arraybuffer";
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let failure: unknown;
  socket.onopen = () => opened.resolve();
  const abort = () => {
    opened.reject(signal.reason);
    socket.close();
  };
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });

  const decoder = new TextDecoder();
  const readable = new ReadableStream<string>({
    start(controller) {
      socket.onmessage = ({ data }) => {
        const size: number = typeof data === "string" ? data.length : data.byteLength;
        if (size <= maxMessageBytes) {
          return controller.enqueue(typeof data === "string" ? data : decoder.decode(data));
        }
        socket.onmessage = null;
        failure = new Error(`the agent sent a message longer than ${maxMessageBytes} bytes`);
        socket.close();
      };
      socket.onerror = (event) => {
        failure ??= event instanceof ErrorEvent ? event.error ?? event.message : event;
      };
      socket.onclose = ({ code, reason }) => {
        failure ??= new SocketClosed(code, reason);
        opened.reject(failure);
        closed.resolve();
        try {
          controller.close();
        } catch {
          // The reader has left.
        }
      };
    },
    cancel() {
      // What still arrives has nowhere to go.
      socket.onmessage = null;
      socket.close();
      return closed.promise;
    },
  });
  const writable = new WritableStream<unknown>({
    write(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    close: () => socket.close(),
    abort: () => socket.close(),
  });
  try {
    await opened.promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return { readable, writable, failure: () => failure };
}
