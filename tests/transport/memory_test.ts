import assert from "node:assert/strict";
import { memoryTransportPair } from "../../src/transport/memory.ts";

Deno.test("memoryTransportPair() carries copies of messages both ways", async () => {
  const { transport, peer } = memoryTransportPair();
  const params = { text: "x", gone: undefined };
  const toPeer = transport.writable.getWriter();
  await toPeer.write({ jsonrpc: "2.0", id: 1, method: "ask", params });
  params.text = "changed";
  const { value } = await peer.readable.getReader().read();
  assert.deepEqual(value, { jsonrpc: "2.0", id: 1, method: "ask", params: { text: "x" } });
  const toClient = peer.writable.getWriter();
  await toClient.write({ jsonrpc: "2.0", id: 2, result: "stray" });
  await toClient.write({ jsonrpc: "2.0", id: 1, result: "answer" });
  const reader = transport.readable.getReader();
  assert.deepEqual((await reader.read()).value, { jsonrpc: "2.0", id: 1, result: "answer" });
  assert.equal(transport.noise().length, 1);
});

Deno.test("memoryTransportPair() ends both ways with either side", async () => {
  const first = memoryTransportPair();
  await first.transport.close();
  await first.transport.close();
  assert.equal((await first.transport.closed).reason, "the connection was closed");
  assert.deepEqual(await Array.fromAsync(first.peer.readable), []);
  assert.deepEqual(await Array.fromAsync(first.transport.readable), []);
  const late = first.peer.writable.getWriter();
  await late.write({ jsonrpc: "2.0", method: "late" });

  const second = memoryTransportPair();
  const writer = second.peer.writable.getWriter();
  await writer.write({ jsonrpc: "2.0", method: "last" });
  await writer.close();
  assert.equal((await second.transport.closed).reason, "the agent closed the connection");
  assert.equal((await Array.fromAsync(second.transport.readable)).length, 1);
  const lost = second.transport.writable.getWriter();
  await lost.write({ jsonrpc: "2.0", method: "lost" });
});

Deno.test("memoryTransportPair() keeps and tells stderr lines", () => {
  const { transport, peer } = memoryTransportPair();
  const lines: string[] = [];
  transport.onStderrLine((line) => lines.push(line));
  peer.stderrLine("one");
  peer.stderrLine("two");
  assert.deepEqual(lines, ["one", "two"]);
  assert.equal(transport.stderr(), "one\ntwo\n");
});
