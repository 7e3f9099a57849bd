/**
 * The least that a client on the protocol's library does: starts an agent, does the handshake, sends
 * one prompt and prints the text of the answer. Without a prompt it prints `> ` when it is ready for
 * one, and waits.
 *
 *     deno run -A sdk_client.ts PROMPT|"" COMMAND ARGS…
 *
 * `BENCH_TOOL` names a request of the agent that it answers by itself, as an in-process tool would.
 *
 * @module
 */

import { client, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

/** Characters that are written at once. */
const PIECE = 64 * 1024;

const [prompt = "", command = "mm", ...args] = Deno.args;
const agent = new Deno.Command(command, {
  args,
  stdin: "piped",
  stdout: "piped",
  stderr: "null",
}).spawn();
const encoder = new TextEncoder();
let waiting = "";

function flush(): void {
  Deno.stdout.writeSync(encoder.encode(waiting));
  waiting = "";
}

const app = client({ name: "floor" }).onNotification("session/update", ({ params }) => {
  const { update } = params;
  if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
  waiting += update.content.text;
  if (waiting.length > PIECE) flush();
});
const tool = Deno.env.get("BENCH_TOOL");
if (tool !== undefined) {
  app.onRequest(tool, (params: unknown) => params as { text?: string }, ({ params }) => ({
    content: [{ type: "text", text: params.text ?? "" }],
  }));
}

await app.connectWith(ndJsonStream(agent.stdin, agent.stdout), async (peer) => {
  await peer.request("initialize", { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  const session = await peer.request("session/new", { cwd: Deno.cwd(), mcpServers: [] });
  if (prompt === "") {
    Deno.stdout.writeSync(encoder.encode("> "));
    for await (const _typed of Deno.stdin.readable);
    return;
  }
  await peer.request("session/prompt", {
    sessionId: session.sessionId,
    prompt: [{ type: "text", text: prompt }],
  });
});
flush();
agent.kill("SIGKILL");
