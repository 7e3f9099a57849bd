/**
 * The reference agent as a program: JSON-RPC lines on stdin and stdout, its log on stderr.
 *
 * @module
 */

import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { WireMessage } from "../transport/transport.ts";
import type { AgentOptions } from "./options.ts";
import { serveAgent } from "./serve.ts";

/**
 * Serves on this process's stdio, until the end of stdin or the phrase `die`.
 *
 * @returns the exit status: 0, or 1 after `die`
 */
export async function serveAgentOnStdio(options: AgentOptions): Promise<number> {
  const encoder = new TextEncoder();
  const { readable, writable } = ndJsonStream(Deno.stdout.writable, Deno.stdin.readable);
  const stream = {
    readable: readable as ReadableStream<unknown> as ReadableStream<WireMessage>,
    writable: writable as WritableStream<unknown> as WritableStream<WireMessage>,
  };
  const stderr = (line: string) => {
    try {
      Deno.stderr.writeSync(encoder.encode(`${line}\n`));
    } catch {
      // Nobody reads the log; the protocol goes on.
    }
  };
  const served = serveAgent(stream, { ...options, stderr });
  await served.closed;
  return served.died() ? 1 : 0;
}
