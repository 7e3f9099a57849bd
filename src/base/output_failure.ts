/**
 * Why output cannot be written any more.
 *
 * @module
 */

import { messageOf, MmError } from "./errors.ts";

/** EIO: the terminal is gone. */
const GONE = /\(os error 5\)/;

/**
 * What a failed write to stdout means: `output_closed` when nobody reads any more, which needs no
 * words, else `output_failed`.
 */
export function outputFailure(error: unknown): MmError {
  const closed = error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset || GONE.test(messageOf(error));
  return closed
    ? new MmError("output_closed", "Cannot write to stdout: its reader has gone away", {
      cause: error,
    })
    : new MmError("output_failed", `Cannot write to stdout: ${messageOf(error)}`, { cause: error });
}
