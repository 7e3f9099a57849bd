/**
 * An agent without a protocol library, so that its client is what takes the time. Its prompts:
 *
 * - `chunks N`: N chunks of ten bytes
 * - `markdown BYTES RATE END`: a Markdown answer in chunks of 20 bytes, RATE a second
 * - `paced N RATE END`: N chunks of ten bytes, RATE a second
 * - `stamps N RATE END`: the same, each chunk the time at which it is written, in microseconds
 * - `result BYTES END`: a tool call whose result has that many bytes of lines
 * - `take END …`: nothing is made of what follows
 * - `call METHOD N BYTES`: N requests to the client, one after the other; the answer is how long each
 *   took, in microseconds, as a JSON array. METHOD may be the name of a tool of the client.
 *
 * @module
 */

import { SECTION } from "./answer.ts";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly params?: any;
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
}

/** Characters that are written at once. */
const PIECE = 64 * 1024;
const CHUNK_BYTES = 20;

const encoder = new TextEncoder();
const answers = new Map<number, (result: unknown) => void>();
const methods = new Map<string, string>();
let tools = false;
let ids = 0;
let waiting = "";

function send(message: object): void {
  waiting += `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

/** Hands everything over, and waits until it was taken. */
async function flush(): Promise<void> {
  let bytes = encoder.encode(waiting);
  waiting = "";
  while (bytes.length > 0) bytes = bytes.subarray(await Deno.stdout.write(bytes));
}

function update(update: object): void {
  send({ method: "session/update", params: { sessionId: "stream", update } });
}

function chunk(text: string): void {
  update({
    sessionUpdate: "agent_message_chunk",
    messageId: "message",
    content: { type: "text", text },
  });
}

/** A tool call from its beginning to its result. */
function toolCall(toolCallId: string, bytes: number): void {
  const text = numbered(0).repeat(Math.ceil(bytes / 10)).slice(0, bytes);
  const content = [{ type: "content", content: { type: "text", text } }];
  update({ sessionUpdate: "tool_call", toolCallId, title: "Look", status: "in_progress" });
  update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", content });
}

async function request(method: string, params: object): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  answers.set(++ids, resolve);
  send({ id: ids, method, params });
  await flush();
  return await promise;
}

/** Writes N chunks, RATE a second; as fast as they are read when it is 0. */
async function stream(count: number, rate: number, text: (index: number) => string): Promise<void> {
  const begun = performance.now();
  for (let index = 0; index < count; index++) {
    if (rate > 0) {
      await flush();
      const wait = begun + index * 1000 / rate - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    } else if (waiting.length > PIECE) await flush();
    chunk(text(index));
  }
}

async function calls(method: string, count: number, bytes: number): Promise<void> {
  const times: number[] = [];
  const params = { text: "x".repeat(bytes), _meta: { "org.mini-me/sessionId": "stream" } };
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    await request(methods.get(method) ?? method, params);
    times.push(Math.round((performance.now() - begun) * 1000));
  }
  chunk(JSON.stringify(times));
}

async function answer(prompt: string): Promise<void> {
  const [phrase, first = "", second = "", third] = prompt.split(" ");
  const count = Number(first);
  const rate = Number(second);
  switch (phrase) {
    case "chunks":
      return await stream(count, 0, numbered);
    case "markdown": {
      const cut = SECTION.repeat(Math.ceil(count / SECTION.length)).slice(0, count);
      // What comes after it is to be no code.
      const isCode = (cut.match(/^```/gm)?.length ?? 0) % 2 === 1;
      const text = isCode ? `${cut}\n\`\`\`\n` : cut;
      const piece = (index: number) => text.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
      await stream(Math.ceil(text.length / CHUNK_BYTES), rate, piece);
      return end(third);
    }
    case "paced":
      await stream(count, rate, numbered);
      return end(third);
    case "stamps":
      await stream(
        count,
        rate,
        () => `${Math.round((performance.timeOrigin + performance.now()) * 1000)} `,
      );
      return end(third);
    case "result":
      toolCall(second, count);
      return end(second);
    case "take":
      return end(first);
    case "call":
      return await calls(first, rate, Number(third));
    default:
      return chunk(prompt);
  }
}

function numbered(index: number): string {
  return `${String(index).padStart(9, "0")}\n`;
}

function end(word: string | undefined): void {
  if (word !== undefined) chunk(`\n\nturn-${word}-ended`);
}

async function handle({ id, method, params }: Message): Promise<void> {
  switch (method) {
    case "initialize":
      tools = params.clientCapabilities?._meta?.["org.mini-me/tools"] === true;
      send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
      break;
    case "session/new":
      if (tools) {
        const list = await request("_org.mini-me/tools/list", {
          sessionId: "stream",
          cwd: params.cwd,
        });
        // deno-lint-ignore no-explicit-any
        for (const tool of (list as any).tools) methods.set(tool.name, tool.method);
      }
      send({ id, result: { sessionId: "stream" } });
      break;
    case "session/prompt":
      await answer(params.prompt[0].text);
      send({ id, result: { stopReason: "end_turn" } });
      break;
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  }
  await flush();
}

let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message: Message = JSON.parse(line);
    if (message.method === undefined) {
      answers.get(Number(message.id))?.(message.result);
      answers.delete(Number(message.id));
    } else void handle(message);
  }
}
