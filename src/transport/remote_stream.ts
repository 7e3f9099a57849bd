/** @module */

/** What the transports to remote agents have in common. */
export interface RemoteStream {
  /** Messages: parsed, or as text. Ends or errors with the connection. */
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
  /** Why it has ended, when `readable` ended without an error. */
  failure?(): unknown;
}
