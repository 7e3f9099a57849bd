/**
 * What the transports to remote agents have in common.
 *
 * @module
 */

/** A connection to a remote agent. */
export interface RemoteStream {
  /** Messages: parsed, or as text. Ends or errors with the connection. */
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
  /** Why it has ended, when `readable` ended without an error. */
  failure?(): unknown;
}

/** The end of a WebSocket by the server. */
export class SocketClosed extends Error {
  override readonly name = "SocketClosed";

  /** @param code of the closing message; 1000 and 1005 say nothing */
  constructor(readonly code: number, reason: string) {
    const plain = code === 1000 || code === 1005;
    const details = [plain ? "" : String(code), reason].filter((part) => part !== "").join(": ");
    super(`the server closed the connection${details === "" ? "" : ` (${details})`}`);
  }
}
