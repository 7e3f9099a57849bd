/**
 * The least work that reading an agent can be: lines, and JSON.parse. Nothing is checked and nothing
 * is printed but the number of messages.
 *
 *     deno run -A json_lines.ts PROMPT COMMAND ARGS…
 *
 * @module
 */

const [prompt = "", command = "mm", ...args] = Deno.args;
const agent = new Deno.Command(command, {
  args,
  stdin: "piped",
  stdout: "piped",
  stderr: "null",
}).spawn();
const stdin = agent.stdin.getWriter();
const encoder = new TextEncoder();

async function send(id: number, method: string, params: unknown): Promise<void> {
  await stdin.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
}

await send(0, "initialize", { protocolVersion: 1, clientCapabilities: {} });
let count = 0;
let rest = "";
read:
for await (const text of agent.stdout.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message = JSON.parse(line);
    count++;
    if (message.id === 0) await send(1, "session/new", { cwd: Deno.cwd(), mcpServers: [] });
    if (message.id === 1) {
      const { sessionId } = message.result;
      await send(2, "session/prompt", { sessionId, prompt: [{ type: "text", text: prompt }] });
    }
    if (message.id === 2) break read;
  }
}
Deno.stdout.writeSync(encoder.encode(`${count}\n`));
agent.kill("SIGKILL");
