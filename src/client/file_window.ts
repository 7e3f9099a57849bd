/**
 * Reads some lines of a file without loading the rest.
 *
 * @module
 */

import type { FileHandle } from "node:fs/promises";

const NEWLINE = 0x0a;
const CHUNK = 64 * 1024;
/** Lines behind so many bytes are not looked for. */
const FARTHEST = 1024 ** 3;

/** Which lines of a file. */
export interface LineWindow {
  /** First line, counted from 1. */
  readonly line: number;
  /** Number of lines; absent: to the end. */
  readonly limit?: number;
  /** Most bytes that are returned. */
  readonly maxBytes: number;
}

/**
 * The bytes of the lines, their terminators as they are; empty past the end. `undefined` when there
 * are more than `maxBytes`, or more than 1 GiB before them.
 */
export async function readWindow(
  file: FileHandle,
  { line, limit = Infinity, maxBytes }: LineWindow,
): Promise<Uint8Array | undefined> {
  if (limit === 0) return new Uint8Array();
  const stop = line + limit;
  const taken: Uint8Array[] = [];
  let size = 0;
  let current = 1;
  let passed = 0;
  const buffer = new Uint8Array(CHUNK);
  while (current < stop) {
    const { bytesRead: read } = await file.read(buffer, 0, CHUNK, null);
    if (read === 0) break;
    const chunk = buffer.subarray(0, read);
    let at = 0;
    const pass = (until: number) => {
      while (current < until && at < read) {
        const newline = chunk.indexOf(NEWLINE, at);
        if (newline >= 0) current++;
        at = newline < 0 ? read : newline + 1;
      }
    };
    pass(line);
    const start = at;
    if (stop === Infinity) at = read;
    else pass(stop);
    size += at - start;
    passed += start;
    if (size > maxBytes || passed > FARTHEST) return undefined;
    taken.push(chunk.slice(start, at));
  }
  return join(taken, size);
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
