import assert from "node:assert/strict";
import { RequestError } from "@agentclientprotocol/sdk";
import { withAgent } from "./harness.ts";

const BUFFERS = {
  name: "open buffers",
  description: "List the open files.",
  method: "_com.example/buffers",
  inputSchema: {
    type: "object",
    properties: { language: { type: "string", description: "A language." } },
    required: ["language"],
  },
};
const CLOCK = { name: "clock", method: "_com.example/clock" };
const offering = (value: unknown) => ({ _meta: { "org.mini-me/tools": value } });
const LIST = "_org.mini-me/tools/list";

Deno.test("mode meta takes the list of initialize for every session", async () => {
  await withAgent({ capabilities: offering([BUFFERS, CLOCK]) }, async (client) => {
    assert.deepEqual(client.stderr, [
      "[acp] client tools (meta): client_clock, client_open_buffers",
    ]);
    for (const cwd of ["/a", "/b"]) {
      const { text } = await client.prompt(await client.newSession(cwd), "tools");
      assert.match(
        text,
        /\*\*client_clock\*\*: Tool provided by the editor \(_com\.example\/clock\)\./,
      );
      assert.match(
        text,
        /\*\*client_open_buffers\*\*: List the open files\..*Required parameters: language/,
      );
      assert.match(text, /`language` \(string\): A language\./);
    }
  });
});

Deno.test("mode meta with a bare true gives no tool and says what is needed", async () => {
  await withAgent({ capabilities: offering(true) }, async (client) => {
    assert.deepEqual(client.stderr, [
      '[acp] client tools: "org.mini-me/tools" is not a list of tools; a client that answers ' +
      "_org.mini-me/tools/list needs acp.clientTools.discovery: request",
    ]);
    assert.match((await client.prompt(await client.newSession(), "tools")).text, /no client tools/);
  });
});

Deno.test("a bad entry is skipped with its reason and the rest is kept", async () => {
  const list = [
    7,
    { name: " ", method: "_x" },
    { name: "a", method: "x" },
    { name: "b", method: "_x", inputSchema: { type: "array" } },
    CLOCK,
    { name: "clock!", method: "_y" },
  ];
  await withAgent({ capabilities: offering(list) }, (client) => {
    const [bad, ...lines] = client.stderr;
    assert.match(bad ?? "", /^\[acp\] client tools: entry 0 skipped: not a tool description: /);
    assert.equal(lines[0], "[acp] client tools: entry 1 skipped: no name");
    assert.equal(
      lines[1],
      '[acp] client tools: entry 2 skipped: method "x" must start with "_" (an ACP extension method)',
    );
    assert.match(
      lines[2] ?? "",
      /^\[acp\] client tools: entry 3 skipped: inputSchema\.type must be "object", got /,
    );
    assert.equal(
      lines[3],
      '[acp] client tools: entry 5 skipped: duplicate tool name "client_clock"',
    );
    assert.equal(lines[4], "[acp] client tools (meta): client_clock");
    assert.equal(lines.length, 5);
    return Promise.resolve();
  });
});

Deno.test("mode request asks for the list before it answers new, load and resume", async () => {
  const tools = [[CLOCK], [BUFFERS], [], [CLOCK, BUFFERS]];
  let opened = 0;
  await withAgent({
    options: { discovery: "request" },
    capabilities: offering(true),
    answers: { [LIST]: () => ({ tools: tools[opened++] }) },
  }, async (client) => {
    assert.deepEqual(client.stderr, []);
    const id = await client.newSession("/a");
    assert.deepEqual(client.asked.map(({ params }) => params), [{ sessionId: id, cwd: "/a" }]);
    await client.agent.request("session/load", { sessionId: id, cwd: "/b", mcpServers: [] });
    assert.deepEqual(client.asked.at(-1)?.params, { sessionId: id, cwd: "/b" });
    await client.agent.request("session/resume", { sessionId: id, cwd: "/c" });
    assert.deepEqual(client.asked.at(-1)?.params, { sessionId: id, cwd: "/c" });
    const other = await client.newSession("/d");
    assert.deepEqual(client.stderr, [
      `[acp] session ${id} client tools (request): client_clock`,
      `[acp] session ${id} client tools (request): client_open_buffers`,
      `[acp] session ${id} client tools (request):`,
      `[acp] session ${other} client tools (request): client_clock, client_open_buffers`,
    ]);
    assert.match((await client.prompt(id, "tools")).text, /no client tools/);
    assert.match((await client.prompt(other, "tools")).text, /client_clock/);
  });
});

const FAILURES: readonly [string, () => unknown, RegExp][] = [
  ["an error", () => {
    throw new RequestError(-32601, "Method not found");
  }, /\{"code":-32601,"message":"Method not found"\}/],
  ["no tools array", () => ({ tools: "all" }), /no "tools" array/],
  ["no answer", () => new Promise(() => {}), /context deadline exceeded/],
];
for (const [name, answer, reason] of FAILURES) {
  Deno.test(`a list request that gets ${name} costs one line and the session opens`, async () => {
    await withAgent({
      options: { discovery: "request", timeoutMs: 50 },
      capabilities: offering(true),
      answers: { [LIST]: answer },
    }, async (client) => {
      const id = await client.newSession();
      assert.equal(client.stderr.length, 1);
      assert.match(client.stderr[0] ?? "", /^\[acp\] client tools: /);
      assert.match(client.stderr[0] ?? "", reason);
      assert.match((await client.prompt(id, "tools")).text, /no client tools/);
    });
  });
}

Deno.test("enabled false ignores what the client offers in both modes", async () => {
  for (const discovery of ["meta", "request"] as const) {
    await withAgent({
      options: { discovery, enabled: false },
      capabilities: offering(discovery === "meta" ? [CLOCK] : true),
      answers: { [LIST]: () => ({ tools: [CLOCK] }) },
    }, async (client) => {
      const { text } = await client.prompt(await client.newSession(), "tools");
      assert.match(text, /switched off/);
      assert.deepEqual(client.stderr, []);
      assert.deepEqual(client.asked, []);
    });
  }
});

Deno.test("a client that offers nothing is not asked", async () => {
  await withAgent({
    options: { discovery: "request" },
    answers: { [LIST]: () => ({ tools: [CLOCK] }) },
  }, async (client) => {
    await client.newSession();
    assert.deepEqual(client.asked, []);
  });
});
