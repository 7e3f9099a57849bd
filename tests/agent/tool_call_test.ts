import assert from "node:assert/strict";
import { RequestError } from "@agentclientprotocol/sdk";
import type { AgentOptions } from "../../src/agent/mod.ts";
import { type Incoming, ofKind, TestClient, withAgent } from "./harness.ts";

const METHOD = "_com.example/count";
const COUNT = {
  name: "word count",
  method: METHOD,
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** Runs a test in one session of an agent that sees one tool. */
async function withTool(
  answer: (request: Incoming) => unknown,
  test: (client: TestClient, sessionId: string) => Promise<void>,
  options: Partial<AgentOptions> = { yolo: true },
  permission: (request: Incoming) => unknown = () => chosen("allow_once"),
): Promise<void> {
  await withAgent({
    options,
    capabilities: { _meta: { "org.mini-me/tools": [COUNT] } },
    answers: { [METHOD]: answer, "session/request_permission": permission },
  }, async (client) => await test(client, await client.newSession()));
}

const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

/** What the model read of the calls of a turn. */
function read(updates: Awaited<ReturnType<TestClient["prompt"]>>["updates"]): unknown[] {
  return ofKind(updates, "tool_call_update").flatMap(({ rawOutput }) => rawOutput ?? []);
}

Deno.test("the arguments go at the top level and _meta names the session", async () => {
  await withTool(() => "3 words", async (client, id) => {
    const args = { path: "a", deep: { x: [1] }, _meta: { mine: true } };
    await client.prompt(id, `call client_word_count ${JSON.stringify(args)}`);
    assert.deepEqual(client.asked.map(({ params }) => params), [
      { path: "a", deep: { x: [1] }, _meta: { "org.mini-me/sessionId": id } },
    ]);
  });
});

Deno.test("a call is reported from pending to completed", async () => {
  await withTool(() => "3 words", async (client, id) => {
    const { updates, text, stopReason } = await client.prompt(id, 'call word count {"path":"a"}');
    assert.equal(stopReason, "end_turn");
    const [call] = ofKind(updates, "tool_call");
    assert.equal(call?.title, "client: word count");
    assert.equal(call?.kind, "other");
    assert.equal(call?.status, "pending");
    assert.deepEqual(call?.rawInput, { path: "a" });
    const changes = ofKind(updates, "tool_call_update");
    assert.deepEqual(changes.map(({ status }) => status), ["in_progress", "completed"]);
    assert.ok(changes.every(({ toolCallId }) => toolCallId === call?.toolCallId));
    assert.deepEqual(changes[1]?.content, [
      { type: "content", content: { type: "text", text: "3 words" } },
    ]);
    assert.match(text, /client_word_count/);
    assert.match(text, /3 words/);
  });
});

const ANSWERS: readonly [string, unknown, string][] = [
  ["a string unquoted", 'say "hi"', 'say "hi"'],
  ["an object as JSON", { a: [1, null] }, '{"a":[1,null]}'],
  ["an array as JSON", [1, "b"], '[1,"b"]'],
  ["a number as JSON", 7, "7"],
  ["null as JSON", null, "null"],
  ["an object whose content is no list as JSON", { content: "x" }, '{"content":"x"}'],
  ["content blocks joined with nothing between", {
    content: [{ type: "text", text: "a" }, { type: "text", text: "b\n" }, { type: "text" }],
  }, "ab\n"],
  ["content that is not text as a placeholder", {
    content: [{ type: "text", text: "a" }, { type: "image", data: "", mimeType: "image/png" }],
  }, "a[client tool: non-text content of type image skipped]"],
  ["an empty list as nothing", { content: [] }, ""],
  [
    "isError as a tool error",
    { content: [{ type: "text", text: "no such file" }], isError: true },
    "[client tool error: no such file]",
  ],
];
for (const [name, answer, expected] of ANSWERS) {
  Deno.test(`the model reads ${name}`, async () => {
    await withTool(() => answer, async (client, id) => {
      const { updates } = await client.prompt(id, 'call word count {"path":"a"}');
      assert.deepEqual(read(updates), [expected]);
      const status = expected.startsWith("[client tool error") ? "failed" : "completed";
      assert.equal(ofKind(updates, "tool_call_update").at(-1)?.status, status);
    });
  });
}

Deno.test("a JSON-RPC error is read as its JSON and the turn goes on", async () => {
  const refuse = () => {
    throw new RequestError(-32601, "Method not found");
  };
  await withTool(refuse, async (client, id) => {
    const { updates, stopReason } = await client.prompt(id, 'call word count {"path":"a"}');
    assert.deepEqual(read(updates), [
      '[client tool error: {"code":-32601,"message":"Method not found"}]',
    ]);
    assert.equal(stopReason, "end_turn");
  });
});

Deno.test("a missing required parameter is found before anything is sent", async () => {
  const options = { permissions: "ask" as const };
  await withTool(() => "", async (client, id) => {
    const { updates } = await client.prompt(id, "call word_count");
    assert.deepEqual(read(updates), [
      "[client tool error: missing required parameters: path]",
    ]);
    assert.deepEqual(client.asked, []);
  }, options);
});

Deno.test("a call that is not answered in time is cancelled and the turn goes on", async () => {
  let cancelled = false;
  const hang = ({ signal }: Incoming) =>
    new Promise((resolve) =>
      signal.addEventListener("abort", () => {
        cancelled = true;
        resolve(null);
      })
    );
  await withTool(hang, async (client, id) => {
    const { updates, stopReason } = await client.prompt(id, 'call word count {"path":"a"}');
    assert.deepEqual(read(updates), ["[client tool error: context deadline exceeded]"]);
    assert.equal(stopReason, "end_turn");
    await client.until(() => cancelled);
  }, { yolo: true, timeoutMs: 30 });
});

Deno.test("cancelling the turn cancels the running call and ends as cancelled", async () => {
  let cancelled = false;
  const hang = ({ signal }: Incoming) =>
    new Promise(() => signal.addEventListener("abort", () => cancelled = true));
  await withTool(hang, async (client, id) => {
    const turn = client.prompt(id, 'call word count {"path":"a"}');
    await client.until(() => client.asked.length === 1);
    await client.agent.notify("session/cancel", { sessionId: id });
    assert.equal((await turn).stopReason, "cancelled");
    await client.until(() => cancelled);
    assert.equal((await client.prompt(id, "echo still here")).text, "still here");
  });
});

Deno.test("a long result is cut in the middle", async () => {
  const long = `head${"🙂".repeat(5_000)}tail`;
  await withTool(() => long, async (client, id) => {
    const { updates } = await client.prompt(id, 'call word count {"path":"a"}');
    const text = String(read(updates)[0]);
    assert.match(text, /^head🙂+\n\[\.\.\. \d+ characters cut \.\.\.\]\n🙂+tail$/u);
    assert.ok([...text].length <= 100);
  }, { yolo: true, maxOutput: 100 });
});

const ASKED: readonly [AgentOptions["permissions"], boolean, boolean][] = [
  ["auto", false, true],
  ["auto", true, false],
  ["ask", false, true],
  ["ask", true, true],
];
for (const [permissions, yolo, asks] of ASKED) {
  Deno.test(`permissions ${permissions} with yolo ${yolo} ${asks ? "asks" : "does not ask"}`, async () => {
    await withTool(() => "ok", async (client, id) => {
      await client.prompt(id, 'call word count {"path":"a"}');
      const [question] = client.asked.filter(({ method }) => method !== METHOD);
      assert.equal(question !== undefined, asks);
      if (!question) return;
      const { title, kind } = question.params.toolCall as Record<string, unknown>;
      assert.deepEqual([title, kind], ["client: word count", "other"]);
      assert.equal(client.asked.length, 2);
    }, { permissions, yolo });
  });
}

const REFUSALS: readonly [string, () => unknown][] = [
  ["a rejection", () => chosen("reject_once")],
  ["a cancelled question", () => ({ outcome: { outcome: "cancelled" } })],
  ["an unknown choice", () => chosen("whatever")],
  ["an error", () => {
    throw new RequestError(-32603, "nobody here");
  }],
];
for (const [name, answer] of REFUSALS) {
  Deno.test(`${name} keeps the call from being made`, async () => {
    await withTool(
      () => "ok",
      async (client, id) => {
        const { updates } = await client.prompt(id, 'call word count {"path":"a"}');
        assert.deepEqual(read(updates), ["[client_word_count rejected by user]"]);
        assert.equal(client.asked.length, 1);
      },
      {},
      answer,
    );
  });
}

Deno.test("allowing for the session asks once", async () => {
  await withTool(
    () => "ok",
    async (client, id) => {
      for (const path of ["a", "b"]) await client.prompt(id, `call word count {"path":"${path}"}`);
      assert.deepEqual(client.asked.map(({ method }) => method), [
        "session/request_permission",
        METHOD,
        METHOD,
      ]);
    },
    {},
    () => chosen("allow_always"),
  );
});

Deno.test("the mode yolo asks nothing", async () => {
  await withTool(() => "ok", async (client, id) => {
    await client.agent.request("session/set_mode", { sessionId: id, modeId: "yolo" });
    await client.prompt(id, 'call word count {"path":"a"}');
    assert.deepEqual(client.asked.map(({ method }) => method), [METHOD]);
  }, {});
});

Deno.test("the same call with the same answer is flagged, then stops the turn", async () => {
  await withTool(() => "same", async (client, id) => {
    const { text, stopReason } = await client.prompt(id, 'call word count {"path":"a"} 9 times');
    assert.equal(client.asked.length, 5);
    assert.equal(stopReason, "max_turn_requests");
    assert.match(text, /same answer 3 times[^]*same answer 4 times[^]*stopped/);
    assert.equal((await client.prompt(id, 'call word count {"path":"a"}')).stopReason, "end_turn");
  });
});

Deno.test("the same call with another answer each time goes on", async () => {
  let calls = 0;
  await withTool(() => ++calls, async (client, id) => {
    const { stopReason } = await client.prompt(id, 'call word count {"path":"a"} 9 times');
    assert.equal(client.asked.length, 9);
    assert.equal(stopReason, "end_turn");
  });
});
