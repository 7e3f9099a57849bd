import assert from "node:assert/strict";
import { readRefusal, retryAfter } from "../../src/transport/refusal.ts";
import { SecretMask } from "../../src/transport/secret_mask.ts";

const read = async (body: BodyInit | null, init: ResponseInit = {}) =>
  await (await readRefusal(new Response(body, { status: 502, ...init }), new SecretMask())).text();

Deno.test("readRefusal() makes one line of what a server says", async () => {
  const cases: [string, string][] = [
    ["", ""],
    ["  sorry,\r\n\tnot now\n", "sorry, not now"],
    ["a\x1b[31mb", "ab"],
    [
      "<html>\r\n<head><title>Maintenance until 9</title></head><body><h1>x</h1></body></html>",
      "Maintenance until 9",
    ],
    ["<!DOCTYPE html><body><h1>Not here</h1>lots of words", "Not here"],
    ["<html><body>lots of words</body></html>", ""],
    ["<head><title>502 Bad Gateway</title></head>", ""],
    ['{"error":{"message":"quota spent","code":7}}', "quota spent"],
    ['{"detail":"no such tenant"}', "no such tenant"],
    ['"plainly"', "plainly"],
    ["x".repeat(1_000), `${"x".repeat(200)}…`],
  ];
  for (const [body, line] of cases) {
    assert.equal(await read(body, { statusText: "Bad Gateway" }), line);
  }
});

Deno.test("readRefusal() ends with a server that never does", async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("more ")),
  });
  assert.match(await read(endless), /^more more/);
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("and then")),
  });
  assert.equal(await read(stalled), "and then");
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("reset")),
  });
  assert.equal(await read(broken), "");
});

Deno.test("readRefusal() hides a secret before it cuts", async () => {
  const mask = new SecretMask();
  mask.add(["s3cret-s3cret"]);
  const body = `${"x".repeat(195)} s3cret-s3cret`;
  const response = await readRefusal(new Response(body, { status: 401 }), mask);
  assert.equal(await response.text(), `${"x".repeat(195)} ***`);
});

Deno.test("readRefusal() keeps the status and the headers, also of answers without a body", async () => {
  const headers = { "set-cookie": "a=1", "retry-after": "3" };
  const response = await readRefusal(
    new Response(null, { status: 304, headers }),
    new SecretMask(),
  );
  assert.deepEqual([response.status, response.body], [304, null]);
  assert.equal(response.headers.get("set-cookie"), "a=1");
});

Deno.test("retryAfter() reads seconds and dates", () => {
  const of = (value?: string) =>
    retryAfter(
      new Response(null, value === undefined ? {} : { headers: { "retry-after": value } }),
    );
  assert.equal(of("120"), 120_000);
  const ms = of(new Date(Date.now() + 60_000).toUTCString()) ?? 0;
  assert.ok(ms > 50_000 && ms <= 60_000, `${ms}`);
  for (const odd of [undefined, "0", "soon", "-5", "Thu, 01 Jan 1970 00:00:00 GMT"]) {
    assert.equal(of(odd), undefined);
  }
});
