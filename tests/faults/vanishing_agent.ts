/**
 * An agent that takes the session's directory away, and then asks for something in it.
 *
 * @module
 */

import { asObject } from "../../src/base/guards.ts";

let cwd = "/";
let prompt: unknown;
let prompts = 0;
const refused: string[] = [];

function send(message: Readonly<Record<string, unknown>>): void {
  const line = new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  Deno.stdout.writeSync(line);
}

function say(text: string): void {
  const content = { type: "text", text: `${text}\n` };
  const update = { sessionUpdate: "agent_message_chunk", content };
  send({ method: "session/update", params: { sessionId: "s1", update } });
  send({ id: prompt, result: { stopReason: "end_turn" } });
}

function take({ id, method, params, error }: Readonly<Record<string, unknown>>): void {
  switch (method) {
    case "initialize":
      return send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    case "session/new":
      cwd = String(asObject(params).cwd);
      return send({ id, result: { sessionId: "s1" } });
    case "session/prompt":
      prompt = id;
      if (++prompts > 1) return say("second");
      Deno.removeSync(cwd);
      send({
        id: "read",
        method: "fs/read_text_file",
        params: { sessionId: "s1", path: `${cwd}/a` },
      });
      return send({
        id: "command",
        method: "terminal/create",
        params: { sessionId: "s1", command: "true" },
      });
  }
  if (error === undefined) return;
  refused.push(`${id} refused`);
  if (refused.length === 2) say(refused.sort().reverse().join(", "));
}

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) take(asObject(JSON.parse(line)));
}
