import assert from "node:assert/strict";
import { MessageGate } from "../../src/transport/message_gate.ts";

function gate(...openIds: (string | number)[]): MessageGate {
  const opened = new MessageGate();
  for (const id of openIds) opened.outgoing({ jsonrpc: "2.0", id, method: "m" });
  return opened;
}

Deno.test("MessageGate passes requests and notifications as they are", () => {
  const messages = [
    { jsonrpc: "2.0", id: 0, method: "fs/read_text_file", params: {} },
    { jsonrpc: "2.0", id: "x-1", method: "_vendor.dev/ping" },
    { jsonrpc: "2.0", id: null, method: "odd" },
    { jsonrpc: "2.0", method: "session/update", params: null, more: 1 },
  ];
  for (const message of messages) {
    assert.deepEqual(gate().incomingLine(JSON.stringify(message)), message);
  }
});

Deno.test("MessageGate keeps everything out that is not JSON-RPC 2.0", () => {
  const opened = gate(3);
  const lines = [
    "[agent] adapter ready",
    "42",
    '"warn"',
    "null",
    "true",
    "[1,2]",
    "{}",
    '[{"jsonrpc":"2.0","method":"m"}]',
    '{"id":3,"level":"info","msg":"x"}',
    '{"id":3,"result":{}}',
    '{"jsonrpc":"1.0","id":3,"result":{}}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","method":7}',
    '{"jsonrpc":"2.0","id":{},"method":"m"}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
    '{"jsonrpc":"2.0","id":3,"res',
  ];
  for (const line of lines) assert.equal(opened.incomingLine(line), undefined, line);
  assert.deepEqual(opened.noise(), lines);
  for (const blank of ["", "  ", "\t"]) assert.equal(opened.incomingLine(blank), undefined);
  assert.equal(opened.noise().length, lines.length);
  assert.ok(opened.incomingLine('{"jsonrpc":"2.0","id":3,"result":{}}'));
});

Deno.test("MessageGate matches answers by number and by string, once", () => {
  const opened = gate(3, 4, "a", "7");
  const answer = (id: unknown) => ({ jsonrpc: "2.0", id, result: {} });
  assert.deepEqual(opened.incoming(answer("3")), answer(3));
  assert.equal(opened.incoming(answer(3)), undefined);
  assert.equal(opened.incoming(answer("3")), undefined);
  assert.equal(opened.incoming(answer(99)), undefined);
  assert.equal(opened.incoming(answer(" 4")), undefined);
  assert.equal(opened.incoming(answer("4.0")), undefined);
  assert.equal(opened.incoming(answer(null)), undefined);
  assert.deepEqual(opened.incoming(answer(4)), answer(4));
  assert.deepEqual(opened.incoming(answer("a")), answer("a"));
  assert.deepEqual(opened.incoming(answer(7)), answer("7"));
});

Deno.test("MessageGate reads an answer without result as null", () => {
  assert.deepEqual(gate(1).incoming({ jsonrpc: "2.0", id: 1 }), {
    jsonrpc: "2.0",
    id: 1,
    result: null,
  });
});

Deno.test("MessageGate keeps the agent's ids and ours apart", () => {
  const opened = gate(1);
  assert.ok(opened.incoming({ jsonrpc: "2.0", id: 1, method: "theirs" }));
  opened.outgoing({ jsonrpc: "2.0", id: 5, result: {} });
  assert.equal(opened.incoming({ jsonrpc: "2.0", id: 5, result: {} }), undefined);
  assert.ok(opened.incoming({ jsonrpc: "2.0", id: 1, result: {} }));
});

Deno.test("MessageGate reads a message behind a window title", () => {
  const line = '{"jsonrpc":"2.0","method":"m"}';
  assert.ok(gate().incomingLine(`\x1b]0;title\x07\x1b[?25l${line}`));
  const opened = gate();
  assert.equal(opened.incomingLine("\x1b]0;title\x07"), undefined);
  assert.deepEqual(opened.noise(), ["␛]0;title␇"]);
});

Deno.test("MessageGate keeps the last noise, escaped and cut", () => {
  const opened = gate();
  for (let index = 0; index < 1000; index++) opened.incomingLine(`line ${index}\x1b[2J\u202e`);
  opened.incomingLine("x".repeat(1_000_000));
  const noise = opened.noise();
  assert.equal(noise.length, 50);
  assert.equal(noise.at(-2), "line 999␛[2J<U+202E>");
  assert.equal(noise.at(-1)?.length, 501);
});

Deno.test("MessageGate cuts what is nested deeper than anybody could walk, and passes the rest", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const notes: string[] = [];
  const opened = new MessageGate({ frame() {}, note: (text) => notes.push(text) });
  const line = `{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":${deep},"b":"kept"}}`;
  const passed = opened.incomingLine(line);
  assert.equal(passed?.id, 7);
  assert.equal((passed?.params as { b: string }).b, "kept");
  assert.ok(JSON.stringify(passed).length < 2_000);
  assert.deepEqual(notes, ["cut what lies more than 500 levels deep in a message"]);
  assert.equal(opened.incoming(JSON.parse(deep)), undefined);
  assert.match(opened.noise().at(-1) ?? "", /^\[\[\[/);
  const deepest = "[".repeat(490) + "]".repeat(490);
  const whole = { jsonrpc: "2.0", method: "m", params: JSON.parse(deepest) };
  assert.equal(opened.incoming(whole), whole);
});
