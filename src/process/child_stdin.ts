/**
 * The stdin of a child, which may go away at any time.
 *
 * @module
 */

/** A child's stdin whose failures are a state, never an error that somebody must catch. */
export interface ChildStdin {
  /** Takes bytes; drops them once the child takes no more. Never errors. */
  readonly stream: WritableStream<Uint8Array>;
  /** Settles when the child takes no more input: closed by us or by the child, or ended. */
  readonly ended: Promise<void>;
  /** Closes it after what was written before. */
  close(): void;
  /** Closes it at once. */
  abort(): void;
}

/** Wraps the stdin of a child; without `stdin` everything is dropped. */
export function openChildStdin(stdin?: WritableStream<Uint8Array>): ChildStdin {
  if (stdin === undefined) {
    const stream = new WritableStream<Uint8Array>();
    return { stream, ended: Promise.resolve(), close() {}, abort() {} };
  }
  const writer = stdin.getWriter();
  const settle = () => {};
  const close = () => void writer.close().catch(settle);
  const abort = () => void writer.abort().catch(settle);
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => writer.write(chunk).catch(settle),
    close,
    abort,
  });
  return { stream, ended: writer.closed.catch(settle), close, abort };
}
