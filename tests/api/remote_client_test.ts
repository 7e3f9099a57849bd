import assert from "node:assert/strict";
import {
  cleverAgents,
  connect,
  facade,
  MmError,
  NotAvailable,
  openClient,
  RpcError,
} from "../../src/api/mod.ts";
import type { ClientOptions, FacadeContext } from "../../src/api/mod.ts";
import { RemoteServer, type RemoteServerOptions } from "../support/remote_server.ts";

const TRANSPORTS = { HTTP: "httpUrl", WebSocket: "wsUrl" } as const;

async function withClient(
  key: "httpUrl" | "wsUrl",
  options: RemoteServerOptions & Partial<ClientOptions>,
  run: (client: Awaited<ReturnType<typeof openClient>>, server: RemoteServer) => Promise<void>,
): Promise<void> {
  await using server = new RemoteServer(options);
  const client = await openClient({
    spec: { kind: "remote", url: server[key] },
    cwd: "/",
    ...options,
  });
  try {
    await run(client, server);
  } finally {
    await client.close();
  }
}

const prompt = (text: string) => [{ type: "text", text }];

for (const [name, key] of Object.entries(TRANSPORTS)) {
  Deno.test(`over ${name} the library calls a platform's methods by name`, async () => {
    await withClient(key, { token: "t", signIn: { token: "t" } }, async (client) => {
      const platform = cleverAgents(client);
      const plan = await platform.plan.use({ action_name: "fix", project_names: ["a"] });
      const { plan_id } = plan as { plan_id: string };
      await platform.plan.execute({ plan_id });
      await assert.rejects(
        platform.plan.execute({ plan_id }),
        (error) =>
          error instanceof RpcError && error.code === -32004 &&
          error.meaning?.name === "BusinessRuleViolation",
      );
      await platform.registry.tool.add({ name: "grep" });
      await assert.rejects(platform.registry.tool.add({ name: "grep" }), /exists already/);
      assert.deepEqual(await platform.registry.tool.list(), [{ name: "grep" }]);
      await platform.registry.tool.remove({ name: "grep" });
      await platform.context.set({ project_name: "p", size: 3 });
      assert.deepEqual(await platform.context.show({ project_name: "p" }), {
        project_name: "p",
        size: 3,
      });
    });
  });

  Deno.test(`over ${name} sessions are loaded, listed and forked`, async () => {
    await withClient(key, {}, async (client, server) => {
      const first = await client.newSession({ cwd: "/" });
      await first.prompt(prompt("hello"));
      const fork = await client.forkSession(first.id, { cwd: "/" });
      assert.notEqual(fork.id, first.id);
      assert.equal(server.agent.sessions.get(fork.id)?.prompts[0], "hello");
      assert.deepEqual(await fork.prompt(prompt("again")), { ok: true, stopReason: "end_turn" });
      const loaded = await client.loadSession(fork.id, { cwd: "/" });
      // Chunks without an id are one message.
      const kinds = [...loaded.store.state.entries].map((entry) => entry.kind);
      assert.deepEqual(kinds, ["user"]);
      const { sessions } = await client.request("session/list") as { sessions: unknown[] };
      assert.equal(sessions.length, 2);
      await loaded.setMode("trusted");
      await loaded.setModel("large");
      assert.equal(server.agent.sessions.get(fork.id)?.model, "large");
    });
  });

  Deno.test(`over ${name} a turn is cancelled`, async () => {
    await withClient(key, {}, async (client, server) => {
      const session = await client.newSession({ cwd: "/" });
      const turn = session.prompt(prompt("hang"));
      const stop = session.store.subscribe(({ event }) => {
        if (event.type === "update_received") session.cancel();
      });
      assert.deepEqual(await turn, { ok: true, stopReason: "cancelled" });
      stop();
      assert.ok(server.methods.includes("session/cancel"));
    });
  });

  Deno.test(`over ${name} what a lost connection leaves is told apart`, async () => {
    await withClient(key, {}, async (client) => {
      const session = await client.newSession({ cwd: "/" });
      const outcome = await session.prompt(prompt("drop"));
      assert.equal(outcome.ok, false);
      const { error } = await client.closed;
      assert.ok(error instanceof MmError && error.code === "agent_died");
      assert.equal(session.store.state.disconnected, true);
      await assert.rejects(client.request("_cleveragents/health/check"), NotAvailable);
    });
  });
}

Deno.test("a client answers what the agent calls on it, and withdraws it again", async () => {
  await withClient("wsUrl", {}, async (client) => {
    const calls: unknown[] = [];
    const remove = client.onExtension("_stand-in/call", (params) => void calls.push(params));
    const session = await client.newSession({ cwd: "/" });
    await session.prompt(prompt("call _stand-in/call"));
    assert.deepEqual(calls, [{}]);
    remove();
    await session.prompt(prompt("call _stand-in/call"));
    assert.equal(calls.length, 1);
  });
});

Deno.test("a client with a facade answers in-process what it can, and sends the rest", async () => {
  const plan_lifecycle_service = {
    status: ({ plan_id }: { plan_id: string }) => `local ${plan_id}`,
  };
  const local = facade({ services: { plan_lifecycle_service } });
  await withClient("httpUrl", { facade: local }, async (client, server) => {
    const { plan, health } = cleverAgents(client);
    assert.equal(await plan.status({ plan_id: "p" }), "local p");
    assert.deepEqual(await health.check(), { status: "ok", plans: 0 });
    assert.deepEqual(server.methods, ["initialize", "_cleveragents/health/check"]);
  });
});

Deno.test("a client with a session service runs its sessions in-process", async () => {
  const cancelled = Promise.withResolvers<void>();
  const session_service = {
    new: () => ({ sessionId: "local-1" }),
    async prompt(params: unknown, { update }: FacadeContext) {
      const { prompt: [block] } = params as { prompt: { text: string }[] };
      const content = { type: "text", text: `local ${block?.text}` };
      update({
        sessionId: "local-1",
        update: { sessionUpdate: "agent_message_chunk", content },
      });
      if (block?.text === "wait") await cancelled.promise;
      return { stopReason: block?.text === "wait" ? "cancelled" : "end_turn" };
    },
    cancel: () => cancelled.resolve(),
  };
  const local = facade({ services: { session_service } });
  await withClient("wsUrl", { facade: local }, async (client, server) => {
    const session = await client.newSession({ cwd: "/" });
    assert.deepEqual(await session.prompt(prompt("hi")), { ok: true, stopReason: "end_turn" });
    const entries = [...session.store.state.entries];
    assert.deepEqual(entries.map(({ kind }) => kind), ["user", "agent"]);
    const turn = session.prompt(prompt("wait"));
    const stop = session.store.subscribe(({ state }) => {
      if (state.turn.state === "running") session.cancel();
    });
    assert.deepEqual(await turn, { ok: true, stopReason: "cancelled" });
    stop();
    assert.deepEqual(server.methods, ["initialize"]);
  });
});

Deno.test("a service's failure and its silence are errors like those of an agent", async () => {
  const context_service = {
    show() {
      throw new Error("disk on fire");
    },
    inspect: () => new Promise(() => {}),
  };
  const local = facade({ services: { context_service } });
  await withClient("wsUrl", { facade: local }, async (client) => {
    const params = { project_name: "p" };
    await assert.rejects(
      client.request("_cleveragents/context/show", params),
      (error) =>
        error instanceof RpcError && error.code === -32603 && error.message === "disk on fire",
    );
    await assert.rejects(
      client.request("_cleveragents/context/inspect", params, { timeoutMs: 10 }),
      (error) => error instanceof MmError && error.code === "timeout",
    );
    const abort = new AbortController();
    const asked = client.request("_cleveragents/context/inspect", params, { signal: abort.signal });
    abort.abort();
    await assert.rejects(asked, (error) => error instanceof RpcError && error.code === -32800);
  });
});

Deno.test("a connection is closed whose agent does not end a cancelled turn", async () => {
  await using server = new RemoteServer();
  await using client = await connect({ kind: "remote", url: server.httpUrl }, { cwd: "/" });
  const signal = AbortSignal.timeout(50);
  const result = await client.prompt("deaf", { signal });
  assert.ok(!result.ok);
  assert.equal(
    result.error.message,
    "The turn was cancelled and had not ended 5 s later: the connection was closed",
  );
  assert.ok(server.methods.includes("session/cancel"));
});
