import assert from "node:assert/strict";
import fc from "fast-check";
import { loadProcessTable } from "../../src/process/process_table.ts";
import { startProcess, type SupervisedProcess } from "../../src/process/supervised.ts";
import { openStdioTransport, type StdioTransportOptions } from "../../src/transport/stdio.ts";
import type { Transport, WireMessage } from "../../src/transport/transport.ts";
import { liveGroups } from "../support/live_groups.ts";

const MESSAGE = '{"jsonrpc":"2.0","method":"m"}';

async function openAgent(script: string, options?: StdioTransportOptions): Promise<Transport> {
  const process = await startProcess({ command: "sh", args: ["-c", script], cwd: "/" });
  return openStdioTransport(process, options);
}

async function readAll(transport: Transport): Promise<WireMessage[]> {
  return await Array.fromAsync(transport.readable);
}

function lives(pid: number): boolean {
  return loadProcessTable().some((row) => row.pid === pid && !row.zombie);
}

/** A process that only has output. */
function fakeProcess(chunks: readonly Uint8Array[]): SupervisedProcess {
  return {
    pid: 0,
    stdin: new WritableStream(),
    stdinEnded: new Promise(() => {}),
    stdout: ReadableStream.from(chunks),
    stderr: () => "",
    watchStderr: () => () => "",
    onStderrLine: () => () => {},
    exited: Promise.resolve({ code: 0, signal: null }),
    stop: () => Promise.resolve(),
    kill() {},
  };
}

Deno.test("openStdioTransport() reads the same messages however the bytes are cut", async () => {
  const texts = ["日本語🙂é", "}\n{", "\ud83d", "x".repeat(300)];
  const messages = texts.map((text) => ({ jsonrpc: "2.0", method: "m", params: { text } }));
  const lines = messages.map((message) => JSON.stringify(message));
  const output = `banner\r\n${lines[0]}\r\n\r\n${lines[1]}\nnoise\n${lines[2]}\n${lines[3]}`;
  const bytes = new TextEncoder().encode(output);
  const cuts = fc.array(fc.nat(bytes.length), { size: "max", maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const sorted = [0, ...places, bytes.length].sort((a, b) => a - b);
      const chunks = sorted.map((place, index) => bytes.slice(place, sorted[index + 1]));
      const transport = openStdioTransport(fakeProcess(chunks));
      assert.deepEqual(await readAll(transport), messages);
      assert.deepEqual(transport.noise(), ["banner", "noise"]);
    }),
    { numRuns: 40 },
  );
});

Deno.test("openStdioTransport() writes each message as one line, in order", async () => {
  const transport = await openAgent(
    `while read -r line; do printf '{"jsonrpc":"2.0","method":"echo","params":%s}\\n' "$line"; done`,
  );
  const writer = transport.writable.getWriter();
  const sent = Array.from({ length: 50 }, (_, index) => ({ n: index, text: "a\nb é" }));
  for (const message of sent) void writer.write(message);
  const reader = transport.readable.getReader();
  for (const message of sent) {
    assert.deepEqual((await reader.read()).value?.params, message);
  }
  await transport.close();
  assert.deepEqual(await reader.read(), { value: undefined, done: true });
  assert.equal((await transport.closed).reason, "the connection was closed");
});

Deno.test("openStdioTransport() mends answers and drops those to nothing", async () => {
  const transport = await openAgent(
    `read -r a; read -r b
     echo '{"jsonrpc":"2.0","id":"1","result":"one"}'
     echo '{"jsonrpc":"2.0","id":1,"result":"again"}'
     echo '{"jsonrpc":"2.0","id":9,"result":"nine"}'
     echo '{"jsonrpc":"2.0","id":2,"result":"two"}'`,
  );
  const writer = transport.writable.getWriter();
  await writer.write({ jsonrpc: "2.0", id: 1, method: "a" });
  await writer.write({ jsonrpc: "2.0", id: 2, method: "b" });
  assert.deepEqual(await readAll(transport), [
    { jsonrpc: "2.0", id: 1, result: "one" },
    { jsonrpc: "2.0", id: 2, result: "two" },
  ]);
  assert.equal(transport.noise().length, 2);
  await transport.close();
});

Deno.test("openStdioTransport() gives the last message without newline and the exit status", async () => {
  const transport = await openAgent(`echo oops >&2; printf '%s' '${MESSAGE}'; exit 3`);
  assert.equal((await readAll(transport)).length, 1);
  assert.deepEqual(await transport.closed, {
    reason: "the agent ended with exit status 3",
    code: 3,
    signal: null,
  });
  assert.equal(transport.stderr(), "oops\n");
});

Deno.test("openStdioTransport() names the signal that ended the agent", async () => {
  const transport = await openAgent(`echo '${MESSAGE}'; kill -9 $$`);
  assert.equal((await readAll(transport)).length, 1);
  assert.deepEqual(await transport.closed, {
    reason: "the agent was ended by SIGKILL",
    code: null,
    signal: "SIGKILL",
  });
});

Deno.test("openStdioTransport() takes the end of stdout for the end, and stops the process", async () => {
  const transport = await openAgent(`echo $$ >&2; echo '${MESSAGE}'; exec >&-; exec sleep 600`);
  assert.equal((await readAll(transport)).length, 1);
  assert.deepEqual(await transport.closed, { reason: "the agent closed its output" });
  await transport.close();
  assert.equal(lives(Number(transport.stderr())), false);
});

Deno.test("openStdioTransport() ends when the agent takes no more input", async () => {
  const transport = await openAgent(`exec <&-; echo '${MESSAGE}'; exec sleep 600`);
  const reader = transport.readable.getReader();
  await reader.read();
  const writer = transport.writable.getWriter();
  void writer.write({ jsonrpc: "2.0", method: "lost" });
  assert.equal((await transport.closed).reason, "the agent closed its input");
  void writer.write({ jsonrpc: "2.0", method: "later" });
  assert.equal((await reader.read()).done, true);
  await transport.close();
});

Deno.test("openStdioTransport() does not wait for children that hold stdout open", async () => {
  const transport = await openAgent(
    `sh -c 'trap "" TERM; exec sleep 600' & echo $! >&2; echo '${MESSAGE}'; exit 0`,
  );
  assert.equal((await readAll(transport)).length, 1);
  assert.equal((await transport.closed).code, 0);
  await transport.close();
  assert.equal(lives(Number(transport.stderr())), false);
});

Deno.test("openStdioTransport() ends an agent whose line has no end", async () => {
  const transport = await openAgent(
    `echo '${MESSAGE}'; exec cat /dev/zero`,
    { maxMessageBytes: 1_000_000 },
  );
  assert.equal((await readAll(transport)).length, 1);
  const end = await transport.closed;
  assert.match(end.reason, /longer than the limit of 1000000 bytes/);
  assert.equal(end.signal, "SIGKILL");
});

Deno.test("openStdioTransport() takes a message of 20 MB", async () => {
  const transport = await openAgent(
    `printf '{"jsonrpc":"2.0","method":"m","params":"'; head -c 20000000 /dev/zero | tr '\\0' x; echo '"}'`,
  );
  const [message] = await readAll(transport);
  assert.equal((message?.params as string).length, 20_000_000);
  await transport.close();
});

Deno.test("openStdioTransport() streams while stderr is flooded", async () => {
  const transport = await openAgent(
    `head -c 300000 /dev/zero >&2; echo '${MESSAGE}'; head -c 20000000 /dev/zero >&2; echo '${MESSAGE}'`,
  );
  assert.equal((await readAll(transport)).length, 2);
  assert.ok(transport.stderr().length <= 64 * 1024);
  await transport.close();
});

Deno.test("openStdioTransport() tells frames, noise and stderr to the tap", async () => {
  const seen: string[] = [];
  const transport = await openAgent(`echo hint >&2; read -r line; echo noise; echo '${MESSAGE}'`, {
    tap: {
      frame: (direction, message) => seen.push(`${direction} ${message.method}`),
      note: (text) => seen.push(text),
    },
  });
  const writer = transport.writable.getWriter();
  await writer.write({ jsonrpc: "2.0", id: 1, method: "ask" });
  await readAll(transport);
  await transport.close();
  assert.deepEqual(seen.sort(), ["in m", "out ask", "skipped (not JSON): noise", "stderr: hint"]);
});

Deno.test("close() ends the agent and its children, also while nobody reads", async () => {
  const transport = await openAgent(
    `trap "" TERM; sleep 600 & echo $! >&2; while :; do echo '${MESSAGE}'; done`,
  );
  const line = Promise.withResolvers<string>();
  transport.onStderrLine(line.resolve);
  const pid = Number(await line.promise);
  await Promise.all([transport.close(), transport.close()]);
  assert.equal(lives(pid), false);
  assert.equal((await transport.closed).reason, "the connection was closed");
  assert.deepEqual(liveGroups(), []);
});
