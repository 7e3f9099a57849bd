import assert from "node:assert/strict";
import { MmError } from "../../src/base/errors.ts";
import { RpcError } from "../../src/base/rpc.ts";
import type { AgentConnection, ConnectionOptions } from "../../src/client/connection.ts";
import { openConnection } from "../../src/client/open_connection.ts";
import { MethodRouter } from "../../src/client/router.ts";
import { memoryTransportPair } from "../../src/transport/memory.ts";
import type { WireMessage } from "../../src/transport/transport.ts";

/** An agent in memory, driven by hand. */
class HandAgent {
  readonly router = new MethodRouter();
  readonly updates: unknown[] = [];
  readonly received: WireMessage[] = [];
  readonly #pair = memoryTransportPair();
  readonly #reader = this.#pair.peer.readable.getReader();
  readonly #writer = this.#pair.peer.writable.getWriter();

  open(options: Partial<ConnectionOptions> = {}): Promise<AgentConnection> {
    return openConnection(this.#pair.transport, {
      agentName: "hand",
      router: this.router,
      capabilities: {},
      clientInfo: { name: "test", version: "0" },
      timeoutMs: 5_000,
      onUpdate: (params) => this.updates.push(params),
      ...options,
    });
  }

  /** Opens a connection whose `initialize` is answered. */
  async ready(): Promise<AgentConnection> {
    const opening = this.open();
    const { id } = await this.take("initialize");
    await this.send({ id, result: { protocolVersion: 1 } });
    return await opening;
  }

  /** The next message with this method; the ones before it are kept in `received`. */
  async take(method: string): Promise<WireMessage> {
    return await this.#next((message) => message.method === method);
  }

  /** The next answer to a request with this id. */
  async answerTo(id: unknown): Promise<WireMessage> {
    return await this.#next((message) => !("method" in message) && message.id === id);
  }

  async send(...messages: Readonly<Record<string, unknown>>[]): Promise<void> {
    await Promise.all(messages.map((m) => this.#writer.write({ jsonrpc: "2.0", ...m })));
  }

  async leave(): Promise<void> {
    await this.#writer.close();
  }

  /** What the agent was sent in answer to `id` once everything before a marker has been handled. */
  async answersUntil(marker: string): Promise<WireMessage[]> {
    await this.send({ id: marker, method: "no/such/marker" });
    await this.answerTo(marker);
    return this.received.filter((message) => !("method" in message) && message.id !== marker);
  }

  async #next(matches: (message: WireMessage) => boolean): Promise<WireMessage> {
    for (;;) {
      const { value, done } = await this.#reader.read();
      if (done) throw new Error("the client left");
      this.received.push(value);
      if (matches(value)) return value;
    }
  }
}

Deno.test("initialize names version 1, the client and its capabilities", async () => {
  const agent = new HandAgent();
  const opening = agent.open({ capabilities: { terminal: true } });
  const { params, id } = await agent.take("initialize");
  assert.deepEqual(params, {
    protocolVersion: 1,
    clientCapabilities: { terminal: true },
    clientInfo: { name: "test", version: "0" },
  });
  await agent.send({
    id,
    result: {
      protocolVersion: 1,
      agentInfo: { name: "a", title: "Agent", version: "9" },
      agentCapabilities: { loadSession: true, never: { heard: "of" } },
      authMethods: [
        { id: "login" },
        { id: "t", name: "T", type: "terminal" },
        { name: "no id" },
        5,
      ],
    },
  });
  const connection = await opening;
  const { initialized } = connection;
  assert.equal(initialized.agentName, "Agent");
  assert.equal(initialized.agentVersion, "9");
  assert.deepEqual(initialized.capabilities, { loadSession: true, never: { heard: "of" } });
  assert.deepEqual(
    initialized.authMethods.map(({ id, name, type }) => [id, name, type]),
    [["login", "login", "agent"], ["t", "T", "terminal"]],
  );
  await connection.close();
});

Deno.test("any other protocol version ends the connection, and the error names both", async (t) => {
  const cases: [unknown, RegExp][] = [
    [{ protocolVersion: 2 }, /speaks version 2 .* version 1/],
    [{ protocolVersion: 0 }, /speaks version 0 .* version 1/],
    [{ protocolVersion: "2024-11-05" }, /speaks version "2024-11-05" .* version 1/],
    [{ protocolVersion: "1" }, /speaks version "1" .* version 1/],
    [{}, /names no version .* version 1/],
  ];
  for (const [result, message] of cases) {
    await t.step(JSON.stringify(result), async () => {
      const agent = new HandAgent();
      const opening = agent.open();
      // Observed before it can fail, so that the failure is never unhandled.
      const failed = assert.rejects(opening, { code: "protocol_version", message });
      const { id } = await agent.take("initialize");
      await agent.send({ id, result });
      await failed;
      await assert.rejects(agent.take("session/new"), /the client left/);
    });
  }
});

Deno.test("an agent that answers initialize with an error is told as such", async () => {
  for (const [code, expected] of [[-32000, "auth"], [-32603, "handshake"]] as const) {
    const agent = new HandAgent();
    const failed = assert.rejects(agent.open(), (error) => {
      assert.ok(error instanceof MmError);
      assert.equal(error.code, expected);
      assert.deepEqual(error.rpc, { code, message: "no", data: { details: "why" } });
      assert.match(error.message, /no: why/);
      return true;
    });
    const { id } = await agent.take("initialize");
    await agent.send({ id, error: { code, message: "no", data: { details: "why" } } });
    await failed;
  }
});

Deno.test("a program that is no agent is told as such, whatever it answers", async (t) => {
  const answers: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["an error", { error: { code: -32601, message: "Method not found" } }],
    ["nothing", { result: null }],
    ["neither a result nor an error", {}],
    ["a word", { result: "hello" }],
    ["our own request", { method: "initialize", params: {} }],
  ];
  for (const [what, answer] of answers) {
    await t.step(what, async () => {
      const agent = new HandAgent();
      const opening = agent.open();
      const { id } = await agent.take("initialize");
      await agent.send({ id, ...answer });
      // An echo gives back our own answer, too.
      if ("method" in answer) await agent.send({ ...await agent.answerTo(id) });
      await assert.rejects(opening, (error: unknown) => {
        assert.ok(error instanceof MmError);
        assert.equal(error.code, "handshake");
        assert.equal(error.exit, 3);
        assert.match(error.message, /^Cannot start "hand": it is not an agent of the Agent Client/);
        return true;
      });
    });
  }
});

Deno.test("an agent that says nothing is given up after the timeout", async () => {
  const agent = new HandAgent();
  await assert.rejects(agent.open({ timeoutMs: 20 }), {
    code: "agent_silent",
    phase: "initialize",
  });
});

Deno.test("an agent that leaves during the handshake is not waited for", async () => {
  const agent = new HandAgent();
  const failed = assert.rejects(agent.open(), { code: "agent_exited", phase: "initialize" });
  await agent.leave();
  await failed;
});

Deno.test("a signal that was aborted before is heeded as well", async () => {
  const agent = new HandAgent();
  await assert.rejects(agent.open({ signal: AbortSignal.abort() }), { code: "interrupted" });
});

Deno.test("aborting interrupts the handshake", async () => {
  const agent = new HandAgent();
  const aborter = new AbortController();
  const failed = assert.rejects(agent.open({ signal: aborter.signal }), { code: "interrupted" });
  await agent.take("initialize");
  aborter.abort();
  await failed;
});

Deno.test("every request is answered once, with its own id", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  agent.router.register("known", (params) => ({ params: params ?? "none" }));
  agent.router.register("nothing", () => undefined);
  agent.router.register("throws", () => {
    throw new Error("boom");
  });
  agent.router.register("refuses", () => {
    throw new RpcError(-32602, "no", { why: 1 });
  });
  await agent.send(
    { id: 0, method: "known", params: { a: 1 } },
    { id: "", method: "known" },
    { id: "7", method: "no/such" },
    { id: "x-1", method: "_vendor.dev/ping", params: {} },
    { id: 1.5, method: "nothing" },
    { id: -1, method: "throws" },
    { id: "a6e2", method: "refuses" },
    { id: 3, method: "vendor.dev/ping" },
  );
  const answers = await agent.answersUntil("marker");
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  assert.equal(byId.size, answers.length, "no id is answered twice");
  assert.equal(byId.size, 8);
  assert.deepEqual(byId.get(0)?.result, { params: { a: 1 } });
  assert.deepEqual(byId.get("")?.result, { params: "none" });
  assert.equal((byId.get("7")?.error as RpcError).code, -32601);
  assert.equal((byId.get("x-1")?.error as RpcError).code, -32601);
  assert.equal(byId.get(1.5)?.result, null);
  assert.equal((byId.get(-1)?.error as RpcError).code, -32603);
  assert.equal((byId.get(-1)?.error as RpcError).message, "boom");
  assert.deepEqual(byId.get("a6e2")?.error, { code: -32602, message: "no", data: { why: 1 } });
  await connection.close();
});

Deno.test("ids of the agent and ours are different spaces", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  agent.router.register("known", () => "ours");
  const asked = connection.request("theirs");
  const { id } = await agent.take("theirs");
  await agent.send({ id, method: "known" });
  assert.equal((await agent.answerTo(id)).result, "ours");
  await agent.send({ id, result: "theirs" });
  assert.equal(await asked, "theirs");
  await connection.close();
});

Deno.test("updates come in the order of the wire, before the answers that follow them", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  const seen: unknown[] = [];
  const asked = connection.request("session/prompt").then(() => {
    seen.push(...agent.updates.splice(0), "answer");
  });
  const { id } = await agent.take("session/prompt");
  const update = (n: number) => ({ method: "session/update", params: { n } });
  await agent.send(update(1), update(2), { id, result: {} }, update(3));
  await asked;
  await agent.answersUntil("marker");
  assert.deepEqual([...seen, ...agent.updates], [{ n: 1 }, { n: 2 }, "answer", { n: 3 }]);
  await connection.close();
});

Deno.test("updates of unknown shape are passed on as they are, and nothing is printed", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  const heard: unknown[] = [];
  agent.router.on("_vendor/note", (params) => heard.push(params));
  agent.router.on("_vendor/bad", () => {
    throw new Error("a faulty listener");
  });
  const reported: unknown[] = [];
  const take = (event: ErrorEvent) => {
    event.preventDefault();
    reported.push(event.message);
  };
  globalThis.addEventListener("error", take);
  const printed: unknown[] = [];
  const original = globalThis.console;
  globalThis.console = new Proxy(original, {
    get: () => (...args: unknown[]) => printed.push(args),
  });
  try {
    await agent.send(
      { method: "session/update", params: { update: { sessionUpdate: "from_the_future" } } },
      { method: "session/update" },
      { method: "_vendor/note", params: [1] },
      { method: "_vendor/bad" },
      { method: "_vendor/unheard" },
      { id: 77, result: "to nothing" },
      { id: null, error: { code: -32700, message: "Parse error" } },
      { method: "$/cancel_request", params: { requestId: "none" } },
    );
    await agent.answersUntil("marker");
  } finally {
    globalThis.console = original;
    globalThis.removeEventListener("error", take);
  }
  assert.deepEqual(printed, []);
  assert.deepEqual(reported.map((message) => /a faulty listener/.test(`${message}`)), [true]);
  assert.deepEqual(heard, [[1]]);
  assert.deepEqual(agent.updates, [{ update: { sessionUpdate: "from_the_future" } }, undefined]);
  await connection.close();
});

Deno.test("answers are taken leniently, the first one counts", async (t) => {
  const cases: [string, Record<string, unknown>, unknown][] = [
    ["an id that became a string", { id: "ID", result: 1 }, 1],
    ["a null error beside the result", { result: 2, error: null }, 2],
    ["a null result", { result: null }, null],
    ["an error that is a string", { error: "no" }, { code: -32603, message: "no" }],
    ["an error without a code", { error: { message: "no" } }, { code: -32603, message: "no" }],
    ["an error beside a null result", { result: null, error: { code: 1, message: "no" } }, {
      code: 1,
      message: "no",
    }],
  ];
  for (const [name, answer, expected] of cases) {
    await t.step(name, async () => {
      const agent = new HandAgent();
      const connection = await agent.ready();
      const asked = connection.request("ask");
      const settled = asked.catch((error: RpcError) => error.toObject());
      const { id } = await agent.take("ask");
      await agent.send({ ...answer, id: answer.id === "ID" ? String(id) : id });
      await agent.send({ id, result: "again" });
      assert.deepEqual(await settled, expected);
      await connection.close();
    });
  }
});

Deno.test("$/cancel_request of the agent aborts the handler, which still answers", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  agent.router.register(
    "slow",
    (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  await agent.send(
    { id: "r", method: "slow" },
    { method: "$/cancel_request", params: { requestId: "r" } },
  );
  assert.equal(((await agent.answerTo("r")).error as RpcError).code, -32800);
  await connection.close();
});

Deno.test("aborting a request tells the agent and gives its answer", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  const aborter = new AbortController();
  const asked = connection.request("slow", {}, { signal: aborter.signal });
  const failed = assert.rejects(asked, { code: -32800 });
  const { id } = await agent.take("slow");
  aborter.abort();
  assert.deepEqual((await agent.take("$/cancel_request")).params, { requestId: id });
  await agent.send({ id, error: { code: -32800, message: "cancelled" } });
  await failed;
  await connection.close();
});

Deno.test("a request that takes too long is given up and taken back", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  await assert.rejects(connection.request("slow", {}, { timeoutMs: 10 }), {
    code: "timeout",
    phase: "slow",
  });
  await agent.take("$/cancel_request");
  await connection.close();
});

Deno.test("everything that waits ends when the agent leaves", async () => {
  const agent = new HandAgent();
  const connection = await agent.ready();
  let aborted = false;
  agent.router.register("slow", (_, { signal }) => {
    signal.addEventListener("abort", () => aborted = true);
    return new Promise(() => {});
  });
  const first = assert.rejects(connection.request("a"), { code: "agent_died" });
  const second = assert.rejects(connection.request("b"), { code: "agent_died" });
  await agent.take("b");
  await agent.send({ id: 1, method: "slow" });
  await agent.answersUntil("marker");
  await agent.leave();
  await Promise.all([first, second]);
  assert.equal(aborted, true);
  assert.match((await connection.closed).reason, /closed/);
  await assert.rejects(connection.request("c"), { code: "agent_died" });
  await assert.rejects(connection.notify("d"), { code: "agent_died" });
  await connection.close();
});
