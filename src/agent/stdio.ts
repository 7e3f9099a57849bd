/**
 * The reference agent as a program: JSON-RPC lines on stdin and stdout, its log on stderr.
 *
 * @module
 */

import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { WireMessage } from "../transport/transport.ts";
import type { AgentOptions } from "./options.ts";
import { serveAgent } from "./serve.ts";

/** Serves on this process's stdio. Resolves at the end of stdin, or after the phrase `die`. */
export async function serveAgentOnStdio(options: AgentOptions): Promise<void> {
  const encoder = new TextEncoder();
  const { readable, writable } = ndJsonStream(Deno.stdout.writable, Deno.stdin.readable);
  const stream = {
    readable: readable as ReadableStream<unknown> as ReadableStream<WireMessage>,
    writable: writable as WritableStream<unknown> as WritableStream<WireMessage>,
  };
  const stderr = (line: string) => {
    Deno.stderr.writeSync(encoder.encode(`${line}\n`));
  };
  await serveAgent(stream, { ...options, stderr }).closed;
}
