import assert from "node:assert/strict";
import { type ErrorCode, MmError } from "../../src/base/errors.ts";
import { openRemoteTransport, type RemoteTransportOptions } from "../../src/transport/remote.ts";
import type { Transport, WireMessage } from "../../src/transport/transport.ts";
import { CERTIFICATE, KEY } from "../support/certificate.ts";

const INITIALIZE = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
const INITIALIZED = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } };
const SECRET = { authorization: "Bearer s3cret-s3cret" };

type Handler = (request: Request, url: URL) => Response | Promise<Response>;

async function withServer(
  handler: Handler,
  run: (host: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, onError: () => new Response(null) },
    (request) => handler(request, new URL(request.url)),
  );
  try {
    await run(`127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** A server of streamable HTTP: answers `initialize`, records posts, sends what it is told. */
class FakeAgent {
  readonly posts: { headers: Headers; message: WireMessage }[] = [];
  readonly gone = Promise.withResolvers<void>();
  /** Answers to posts after `initialize`. */
  status = 202;
  /** Another answer to one of them; `undefined` for the usual one. */
  answer: (message: WireMessage) => Promise<Response> | Response | undefined = () => undefined;
  #events: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly #listening = Promise.withResolvers<void>();

  handle = async (request: Request): Promise<Response> => {
    if (request.method === "DELETE") {
      this.drop();
      this.gone.resolve();
      return new Response(null);
    }
    if (request.method === "GET") return this.#listen();
    const message = await request.json();
    this.posts.push({ headers: request.headers, message });
    if (message.method !== "initialize") {
      return await this.answer(message) ?? new Response("sorry", { status: this.status });
    }
    return Response.json(INITIALIZED, { headers: { "Acp-Connection-Id": "c1" } });
  };

  async send(text: string | Uint8Array): Promise<void> {
    await this.#listening.promise;
    this.#events?.enqueue(typeof text === "string" ? new TextEncoder().encode(text) : text);
  }

  drop(): void {
    try {
      this.#events?.close();
    } catch {
      // The client has left.
    }
    this.#events = undefined;
  }

  #listen(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#events = controller;
        this.#listening.resolve();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }
}

/** Opens a transport and has the server answer `initialize`. */
async function initialized(url: string, options?: RemoteTransportOptions) {
  const transport = await openRemoteTransport(url, options);
  const writer = transport.writable.getWriter();
  const reader = transport.readable.getReader();
  await writer.write(INITIALIZE);
  assert.deepEqual((await reader.read()).value, INITIALIZED);
  return { transport, writer, reader };
}

/** Opens a transport and sends `initialize`; gives the end that follows. */
async function failure(url: string, options?: RemoteTransportOptions): Promise<MmError> {
  const transport = await openRemoteTransport(url, options);
  try {
    const writer = transport.writable.getWriter();
    await writer.write(INITIALIZE);
    assert.deepEqual(await Array.fromAsync(transport.readable), []);
    const { error } = await transport.closed;
    assert.ok(error instanceof MmError);
    return error;
  } finally {
    await transport.close();
  }
}

Deno.test("openRemoteTransport() speaks streamable HTTP, with headers on every request", async () => {
  const agent = new FakeAgent();
  const seen: string[] = [];
  await withServer((request) => {
    seen.push(`${request.method} ${request.headers.get("authorization")}`);
    return agent.handle(request);
  }, async (host) => {
    const { transport, writer, reader } = await initialized(`http://${host}/acp`, {
      headers: SECRET,
    });
    await writer.write({ jsonrpc: "2.0", id: 1, method: "ask" });
    assert.deepEqual(agent.posts[1]?.message, { jsonrpc: "2.0", id: 1, method: "ask" });
    await agent.send('data: {"jsonrpc":"2.0","id":"1","result":{}}\n\n');
    assert.deepEqual((await reader.read()).value, { jsonrpc: "2.0", id: 1, result: {} });
    await transport.close();
    await agent.gone.promise;
    assert.equal((await reader.read()).done, true);
    assert.equal((await transport.closed).reason, "the connection was closed");
  });
  assert.deepEqual(
    new Set(seen),
    new Set(["POST", "GET", "DELETE"].map((method) => `${method} ${SECRET.authorization}`)),
  );
});

Deno.test("openRemoteTransport() reads events glued together, cut anywhere, and large", async () => {
  const agent = new FakeAgent();
  await withServer(agent.handle, async (host) => {
    const { transport, reader } = await initialized(`http://${host}/`);
    const message = (text: string) => ({ jsonrpc: "2.0", method: "m", params: { text } });
    const event = (text: string) => `data: ${JSON.stringify(message(text))}\n\n`;
    const bytes = new TextEncoder().encode(`: alive\r\n\r\n${event("é🙂")}${event("two")}`);
    for (const byte of bytes) await agent.send(new Uint8Array([byte]));
    await agent.send(
      'data: not json\n\ndata: [1]\n\ndata: {"jsonrpc":"2.0",\ndata: "method":"n"}\n\n',
    );
    await agent.send(event("x".repeat(10_000_000)));
    assert.deepEqual((await reader.read()).value, message("é🙂"));
    assert.deepEqual((await reader.read()).value, message("two"));
    assert.deepEqual((await reader.read()).value, { jsonrpc: "2.0", method: "n" });
    assert.deepEqual((await reader.read()).value, message("x".repeat(10_000_000)));
    assert.deepEqual(transport.noise(), ["not json", "[1]"]);
    agent.drop();
    assert.equal((await reader.read()).done, true);
    const { error } = await transport.closed;
    assert.equal(error?.code, "agent_died");
    await transport.close();
  });
});

Deno.test("openRemoteTransport() says what each HTTP status means", async () => {
  const cases: [number, ErrorCode, RegExp][] = [
    [401, "auth", /does not accept the credentials \(HTTP 401\): token expired/],
    [403, "auth", /refuses access/],
    [404, "handshake", /no agent or connection/],
    [409, "handshake", /in use by another connection/],
    [410, "handshake", /expired/],
    [500, "handshake", /the server failed/],
    [502, "handshake", /gateway cannot reach the agent/],
    [418, "handshake", /refuses the request/],
  ];
  const handler: Handler = (_, url) =>
    new Response("token expired", { status: Number(url.pathname.slice(1)) });
  await withServer(handler, async (host) => {
    for (const [status, code, message] of cases) {
      const error = await failure(`http://user:pw@${host}/${status}?key=pw`, { headers: SECRET });
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.ok(error.hint);
      assert.doesNotMatch(error.message + error.hint, /pw|s3cret/);
    }
  });
});

Deno.test("openRemoteTransport() recognises what is not an agent", async () => {
  const handler: Handler = (_, url) =>
    url.pathname === "/html"
      ? new Response("<html>hello</html>", { headers: { "content-type": "text/html" } })
      : url.pathname === "/text"
      ? new Response("hello", { headers: { "Acp-Connection-Id": "x" } })
      : Response.json({ hello: 1 });
  await withServer(handler, async (host) => {
    for (const path of ["html", "text", "json"]) {
      const error = await failure(`http://${host}/${path}`);
      assert.equal(error.code, "handshake");
      assert.match(error.message, /does not speak ACP/);
    }
    assert.match((await failure(`https://${host}/`)).message, /TLS/);
  });
});

Deno.test("openRemoteTransport() says that nobody listens", async () => {
  let host = "";
  await withServer(() => new Response(null), (free) => {
    host = free;
    return Promise.resolve();
  });
  assert.match((await failure(`http://${host}/`)).message, /does not take connections/);
  await assert.rejects(openRemoteTransport(`ws://${host}/`), /does not take connections/);
});

Deno.test("openRemoteTransport() follows redirects on the same origin alone", async () => {
  const agent = new FakeAgent();
  const strangers: Request[] = [];
  await withServer((request) => {
    strangers.push(request);
    return new Response(null);
  }, async (stranger) => {
    const handler: Handler = (request, url) =>
      url.pathname === "/moved"
        ? new Response(null, { status: 308, headers: { location: "/acp" } })
        : url.pathname === "/loop"
        ? new Response(null, { status: 307, headers: { location: "/loop" } })
        : url.pathname === "/upgrade"
        ? new Response(null, { status: 307, headers: { location: "https://127.0.0.1:9/acp" } })
        : url.pathname === "/nowhere"
        ? new Response(null, { status: 307, headers: { location: "http://[bad" } })
        : url.pathname === "/post"
        ? new Response(null, { status: 301, headers: { location: `https://${url.host}/acp?k=1` } })
        : url.pathname === "/away"
        ? new Response(null, { status: 307, headers: { location: `http://${stranger}/acp` } })
        : agent.handle(request);
    await withServer(handler, async (host) => {
      const { transport } = await initialized(`http://${host}/moved`, {
        headers: SECRET,
      });
      assert.equal(agent.posts[0]?.headers.get("authorization"), SECRET.authorization);
      await transport.close();

      const away = await failure(`http://${host}/away`, { headers: SECRET });
      assert.match(away.message, new RegExp(`redirects to another server, http://${stranger}`));
      const looped = await failure(`http://${host}/loop`);
      assert.match(
        looped.message,
        /redirect that is not followed \(HTTP 307\): it leads to .*loop/,
      );
      // With TLS, but at a port that may be somebody else's.
      const upgrade = await failure(`http://${host}/upgrade`, { headers: SECRET });
      assert.match(upgrade.message, /redirects to another server, https:\/\/127\.0\.0\.1:9\/acp/);
      const nowhere = await failure(`http://${host}/nowhere`);
      assert.match(nowhere.message, /redirects to what is no address/);
      // 301 would make a GET of it.
      const post = await failure(`http://${host}/post`);
      assert.match(post.message, /\(HTTP 301\): it leads to https:\/\/\S+\/acp$/);
    });
  });
  assert.equal(strangers.length, 0);
});

Deno.test("openRemoteTransport() waits for no refusal's rest, and sends what comes after it", async () => {
  const agent = new FakeAgent();
  const received: unknown[] = [];
  const leak = SECRET.authorization;
  const handler: Handler = async (request) => {
    if (request.method !== "POST" || !request.headers.has("acp-connection-id")) {
      return await agent.handle(request);
    }
    const { method } = await request.json();
    received.push(method);
    if (method !== "ask") return new Response(null, { status: 202 });
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`bad ${leak} and`)),
    });
    return new Response(body, { status: 503, headers: { "retry-after": "7" } });
  };
  await withServer(handler, async (host) => {
    const { transport, writer, reader } = await initialized(`http://${host}/`, { headers: SECRET });
    const sent = [writer.write({ jsonrpc: "2.0", id: 1, method: "ask" })];
    sent.push(writer.write({ jsonrpc: "2.0", method: "session/cancel" }));
    const { error } = (await reader.read()).value as { error: { message: string } };
    assert.equal(
      error.message,
      "the server is not available (HTTP 503): bad *** and; it asks to wait 7 s",
    );
    await Promise.all(sent);
    assert.deepEqual(received, ["ask", "session/cancel"]);
    await transport.close();
  });
});

Deno.test("openRemoteTransport() reads events whose lines end in a carriage return", async () => {
  const agent = new FakeAgent();
  await withServer(agent.handle, async (host) => {
    const { transport, reader } = await initialized(`http://${host}/`);
    const event = (method: string, end: string) =>
      [`data: {"jsonrpc":"2.0",`, `data: "method":"${method}"}`, "", ""].join(end);
    const bytes = new TextEncoder().encode(
      event("a", "\r") + event("b", "\r\n") + event("c", "\n"),
    );
    for (const byte of bytes) await agent.send(new Uint8Array([byte]));
    await agent.send(event("d", "\r") + event("e", "\r\n"));
    for (const method of ["a", "b", "c", "d", "e"]) {
      assert.deepEqual((await reader.read()).value, { jsonrpc: "2.0", method });
    }
    assert.deepEqual(transport.noise(), []);
    await transport.close();
  });
});

Deno.test("openRemoteTransport() hides the secrets of the connection from traces and errors", async () => {
  const frames: string[] = [];
  const tap = {
    frame: (_: string, message: WireMessage) => frames.push(JSON.stringify(message)),
    note: (text: string) => frames.push(text),
  };
  await withServer((request) => {
    const key = request.headers.get("x-key");
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => {
      const { id, params: { token } } = JSON.parse(data);
      socket.send(`noise ${key} pa55word`);
      socket.send(JSON.stringify({ jsonrpc: "2.0", method: "said", params: { text: token } }));
      const error = { code: -1, message: `bad token ${token}`, data: { seen: [key, "q/s3cret"] } };
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
      socket.close(4000, `${key} is wrong`);
    };
    return response;
  }, async (host) => {
    const transport = await openRemoteTransport(`ws://us3r:pa55word@${host}/?key=q%2Fs3cret`, {
      headers: { "X-Key": "hdr-s3cret" },
      tap,
    });
    const writer = transport.writable.getWriter();
    await writer.write({
      jsonrpc: "2.0",
      id: 1,
      method: "authenticate",
      params: { methodId: "token", token: "tk-s3cret" },
    });
    assert.deepEqual(await Array.fromAsync(transport.readable), [
      { jsonrpc: "2.0", method: "said", params: { text: "tk-s3cret" } },
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -1, message: "bad token ***", data: { seen: ["***", "***"] } },
      },
    ]);
    assert.deepEqual(transport.noise(), ["noise *** ***"]);
    assert.equal(
      (await transport.closed).reason,
      "the server closed the connection (4000: *** is wrong)",
    );
    await transport.close();
  });
  assert.match(frames.join("\n"), /"methodId":"token","token":"\*\*\*"/);
  assert.doesNotMatch(frames.join("\n"), /s3cret|pa55word/);
});

Deno.test("openRemoteTransport() answers one request with a gateway's error in words", async () => {
  const agent = new FakeAgent();
  await withServer(agent.handle, async (host) => {
    const { transport, writer, reader } = await initialized(`http://${host}/`);
    agent.status = 502;
    await writer.write({ jsonrpc: "2.0", id: 1, method: "ask" });
    assert.deepEqual((await reader.read()).value, {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32603,
        message: "the gateway cannot reach the agent (HTTP 502): sorry",
        data: { status: 502, body: "sorry" },
      },
    });
    agent.status = 410;
    await writer.write({ jsonrpc: "2.0", id: 2, method: "ask" });
    assert.equal((await reader.read()).done, true);
    const end = await transport.closed;
    assert.equal(end.reason, "the connection has expired on the server (HTTP 410): sorry");
    assert.equal(end.error?.code, "agent_died");
    await transport.close();
  });
});

Deno.test("openRemoteTransport() speaks over a WebSocket, with headers", async () => {
  let authorization: string | null = "";
  await withServer((request) => {
    authorization = request.headers.get("authorization");
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => {
      socket.send("banner");
      socket.send(new TextEncoder().encode(`{"jsonrpc":"2.0","method":"binary"}`));
      socket.send(JSON.stringify({ jsonrpc: "2.0", id: "0", result: JSON.parse(data).method }));
      socket.close(4001, "restarting");
    };
    return response;
  }, async (host) => {
    const transport = await openRemoteTransport(`ws://${host}/`, { headers: SECRET });
    const writer = transport.writable.getWriter();
    await writer.write(INITIALIZE);
    assert.deepEqual(await Array.fromAsync(transport.readable), [
      { jsonrpc: "2.0", method: "binary" },
      { jsonrpc: "2.0", id: 0, result: "initialize" },
    ]);
    assert.deepEqual(transport.noise(), ["banner"]);
    const end = await transport.closed;
    assert.equal(end.reason, "the server closed the connection (4001: restarting)");
    assert.equal(end.error?.code, "agent_died");
    await writer.write({ jsonrpc: "2.0", method: "late" });
    await transport.close();
  });
  assert.equal(authorization, SECRET.authorization);
});

Deno.test("openRemoteTransport() ends a WebSocket from our side", async () => {
  const left = Promise.withResolvers<void>();
  await withServer((request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onclose = () => left.resolve();
    return response;
  }, async (host) => {
    const abort = new AbortController();
    const transport = await openRemoteTransport(`ws://${host}/`, { signal: abort.signal });
    abort.abort();
    assert.deepEqual(await Array.fromAsync(transport.readable), []);
    assert.equal((await transport.closed).reason, "the connection was closed");
    await transport.close();
    await left.promise;
  });
});

Deno.test("openRemoteTransport() says why a WebSocket does not open", async () => {
  const handler: Handler = (_, url) =>
    new Response(null, {
      status: Number(url.pathname.slice(1)),
      headers: { location: "http://localhost/" },
    });
  await withServer(handler, async (host) => {
    const cases: [number, ErrorCode, RegExp][] = [
      [401, "auth", /does not accept the credentials/],
      [404, "handshake", /no agent/],
      [307, "handshake", /redirect/],
      [200, "handshake", /does not speak ACP/],
    ];
    for (const [status, code, message] of cases) {
      await assert.rejects(
        openRemoteTransport(`ws://${host}/${status}`, { headers: SECRET }),
        (error) => error instanceof MmError && error.code === code && message.test(error.message),
      );
    }
    await assert.rejects(
      openRemoteTransport(`ws://${host}/`, { signal: AbortSignal.abort() }),
      (error) => error instanceof MmError && error.code === "interrupted",
    );
  });
});

Deno.test("openRemoteTransport() refuses bad addresses and headers", async () => {
  for (const url of ["", "nonsense", "ftp://host/", "file:///etc/passwd"]) {
    await assert.rejects(
      openRemoteTransport(url),
      (error) => error instanceof MmError && error.code === "usage",
    );
  }
  await assert.rejects(
    openRemoteTransport("http://127.0.0.1/", { headers: { "bad name": "s3cret" } }),
    (error) => error instanceof MmError && !error.message.includes("s3cret"),
  );
});

Deno.test("openRemoteTransport() notices that an event does not go on", async () => {
  const agent = new FakeAgent();
  await withServer(agent.handle, async (host) => {
    const { transport, reader } = await initialized(`http://${host}/`, {
      times: { stallMs: 20 },
    });
    await agent.send('data: {"jsonrpc":"2.0",');
    assert.equal((await reader.read()).done, true);
    assert.match((await transport.closed).reason, /stopped in the middle of an event/);
    await transport.close();
  });
});

Deno.test("openRemoteTransport() notices that a message is not taken", async () => {
  const agent = new FakeAgent();
  const stuck = Promise.withResolvers<Response>();
  const handler: Handler = async (request) => {
    const late = request.method === "POST" && request.headers.has("acp-connection-id");
    return late ? await stuck.promise : await agent.handle(request);
  };
  await withServer(handler, async (host) => {
    const { transport, writer, reader } = await initialized(`http://${host}/`, {
      times: { answerMs: 20 },
    });
    await writer.write({ jsonrpc: "2.0", id: 1, method: "ask" });
    assert.equal((await reader.read()).done, true);
    assert.match((await transport.closed).reason, /did not take a message/);
    stuck.resolve(new Response(null));
    await transport.close();
  });
});

Deno.test("openRemoteTransport() notices over HTTP that the signs of life have stopped", async () => {
  const agent = new FakeAgent();
  await withServer(agent.handle, async (host) => {
    const { transport, reader } = await initialized(`http://${host}/`, {
      times: { quietMs: 10, idleMs: 10 },
    });
    await agent.send(": alive\n\n");
    assert.equal((await reader.read()).done, true);
    const { reason, error } = await transport.closed;
    assert.match(reason, /no sign of life/);
    assert.equal(error?.code, "agent_died");
    const ping = agent.posts[1]?.message;
    assert.equal(ping?.method, "_org.mini-me.repl/ping");
    await transport.close();
  });
});

Deno.test("openRemoteTransport() keeps a silent WebSocket open as long as it answers", async () => {
  const pings: unknown[] = [];
  let mute = false;
  await withServer((request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => {
      const { id, method } = JSON.parse(data);
      if (method === "_org.mini-me.repl/ping") pings.push(id);
      if (method === "_org.mini-me.repl/ping" && pings.length > 2) mute = true;
      const error = { code: -32601, message: "Method not found" };
      if (!mute) socket.send(JSON.stringify({ jsonrpc: "2.0", id, error }));
    };
    return response;
  }, async (host) => {
    const transport = await openRemoteTransport(`ws://${host}/`, {
      times: { quietMs: 10, idleMs: 10 },
    });
    const writer = transport.writable.getWriter();
    await writer.write(INITIALIZE);
    const received = await Array.fromAsync(transport.readable);
    assert.deepEqual(received.map(({ id }) => id), [0]);
    assert.equal(new Set(pings).size, 3);
    assert.match((await transport.closed).reason, /no sign of life/);
    assert.deepEqual(transport.noise(), []);
    await transport.close();
  });
});

Deno.test("openRemoteTransport() says that a certificate is not accepted", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, cert: CERTIFICATE, key: KEY },
    () => new Response(null),
  );
  const host = `127.0.0.1:${server.addr.port}`;
  const cause = /its TLS certificate is not accepted/;
  const error = await failure(`https://${host}/`);
  assert.match(error.message, cause);
  assert.match(error.hint ?? "", /DENO_CERT/);
  await assert.rejects(openRemoteTransport(`wss://${host}/`), cause);
  await server.shutdown();
});

Deno.test("openRemoteTransport() keeps the cookies of one connection", async () => {
  const agent = new FakeAgent();
  const cookies: (string | null)[] = [];
  await withServer(async (request) => {
    cookies.push(request.headers.get("cookie"));
    const response = await agent.handle(request);
    response.headers.append("set-cookie", "node=7; Path=/; HttpOnly");
    return response;
  }, async (host) => {
    for (const _ of ["first", "second"]) {
      const transport = await openRemoteTransport(`http://${host}/`);
      const writer = transport.writable.getWriter();
      await writer.write(INITIALIZE);
      await transport.readable.getReader().read();
      await writer.write({ jsonrpc: "2.0", method: "note" });
      await transport.close();
    }
  });
  assert.equal(cookies.filter((cookie) => cookie === null).length, 2);
  assert.deepEqual(new Set(cookies), new Set([null, "node=7"]));
});

Deno.test("openRemoteTransport() lets go of what a WebSocket still delivers after the end", async () => {
  const left = Promise.withResolvers<void>();
  await withServer((request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = () => {
      for (let i = 0; i < 1_000; i++) socket.send(JSON.stringify({ jsonrpc: "2.0", method: "n" }));
    };
    socket.onclose = () => left.resolve();
    return response;
  }, async (host) => {
    const transport = await openRemoteTransport(`ws://${host}/`);
    const reader = transport.readable.getReader();
    await transport.writable.getWriter().write(INITIALIZE);
    assert.deepEqual((await reader.read()).value, { jsonrpc: "2.0", method: "n" });
    await transport.close();
    await left.promise;
  });
});

/** Opens a transport to an agent of one's own and initializes it. */
async function withAgent(
  agent: FakeAgent,
  options: RemoteTransportOptions,
  run: (connection: {
    readonly transport: Transport;
    readonly write: (message: WireMessage) => Promise<void>;
    readonly read: () => Promise<WireMessage | undefined>;
  }) => Promise<void>,
): Promise<void> {
  await withServer(agent.handle, async (host) => {
    const { transport, writer, reader } = await initialized(`http://${host}/`, options);
    await run({
      transport,
      write: (message) => writer.write(message),
      read: async () => (await reader.read()).value,
    });
    await transport.close();
  });
}

Deno.test("openRemoteTransport() sends the next message though the server has not answered the last", async () => {
  const agent = new FakeAgent();
  const head = Promise.withResolvers<Response>();
  agent.answer = ({ method }) => method === "ask" ? head.promise : undefined;
  await withAgent(agent, { times: { nextMs: 20 } }, async ({ write, read }) => {
    await write({ jsonrpc: "2.0", id: 1, method: "ask" });
    await write({ jsonrpc: "2.0", method: "session/cancel" });
    assert.deepEqual(agent.posts.map(({ message }) => message.method), [
      "initialize",
      "ask",
      "session/cancel",
    ]);
    head.resolve(new Response("all hands are busy", { status: 503 }));
    const answer = await read();
    assert.equal(answer?.id, 1);
    assert.match(JSON.stringify(answer), /not available \(HTTP 503\): all hands are busy/);
  });
});

Deno.test("openRemoteTransport() ends with a refusal of the credentials that comes late", async () => {
  const agent = new FakeAgent();
  const head = Promise.withResolvers<Response>();
  agent.answer = () => head.promise;
  await withAgent(agent, { times: { nextMs: 20 } }, async ({ transport, write, read }) => {
    await write({ jsonrpc: "2.0", id: 1, method: "ask" });
    head.resolve(new Response("expired", { status: 401 }));
    assert.equal(await read(), undefined);
    const { error } = await transport.closed;
    assert.equal(error?.code, "auth");
    assert.match(error?.message ?? "", /\(HTTP 401\): expired/);
  });
});

Deno.test("openRemoteTransport() takes what comes for a sign that a message is taken", async () => {
  const agent = new FakeAgent();
  const head = Promise.withResolvers<Response>();
  agent.answer = () => head.promise;
  await withAgent(agent, { times: { nextMs: 5, answerMs: 60 } }, async ({ write, read }) => {
    await write({ jsonrpc: "2.0", id: 1, method: "ask" });
    for (let i = 0; i < 10; i++) {
      await agent.send('data: {"jsonrpc":"2.0","method":"n"}\n\n');
      assert.equal((await read())?.method, "n");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    head.resolve(new Response(null, { status: 202 }));
  });
});

Deno.test("openRemoteTransport() reads messages in the answers to what it sends", async () => {
  const agent = new FakeAgent();
  const note = { jsonrpc: "2.0", method: "note" };
  const result = (id: unknown) => ({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
  const asEvents = { headers: { "content-type": "text/event-stream" } };
  agent.answer = ({ id, method }) => {
    if (method === "json") return Response.json(result(id), { status: 200 });
    if (method === "list") return Response.json([note, result(id)]);
    if (method === "events") {
      return new Response(
        `data: ${JSON.stringify(note)}\n\ndata: ${JSON.stringify(result(id))}`,
        asEvents,
      );
    }
    return Response.json({ status: "accepted" }, { status: 202 });
  };
  await withAgent(agent, {}, async ({ transport, write, read }) => {
    await write({ jsonrpc: "2.0", id: 1, method: "json" });
    assert.deepEqual(await read(), result(1));
    for (const [id, method] of [[2, "list"], [3, "events"]] as const) {
      await write({ jsonrpc: "2.0", id, method });
      assert.deepEqual([await read(), await read()], [note, result(id)]);
    }
    await write({ jsonrpc: "2.0", id: 4, method: "other" });
    await agent.send(`data: ${JSON.stringify(result(4))}\n\n`);
    assert.deepEqual(await read(), result(4));
    assert.deepEqual(transport.noise(), []);
  });
});

Deno.test("openRemoteTransport() takes the answer to initialize as an event, too", async () => {
  const asEvents = { "content-type": "text/event-stream", "Acp-Connection-Id": "c1" };
  const agent = new FakeAgent();
  await withServer(async (request) => {
    const response = await agent.handle(request);
    if (request.method !== "POST") return response;
    // It never ends.
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(INITIALIZED)}\n\n`),
        ),
    });
    return new Response(body, { headers: asEvents });
  }, async (host) => {
    const transport = await openRemoteTransport(`http://${host}/`);
    await transport.writable.getWriter().write(INITIALIZE);
    assert.deepEqual((await transport.readable.getReader().read()).value, INITIALIZED);
    await transport.close();
  });
});

Deno.test("openRemoteTransport() bounds the answers to what it sends", async () => {
  const agent = new FakeAgent();
  agent.answer = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":')),
      }),
      { headers: { "content-type": "application/json" } },
    );
  await withAgent(agent, { times: { stallMs: 20 } }, async ({ transport, write, read }) => {
    await write({ jsonrpc: "2.0", id: 1, method: "ask" });
    assert.equal(await read(), undefined);
    assert.match((await transport.closed).reason, /stopped in the middle of an answer/);
  });
});

Deno.test("openRemoteTransport() opens no streams without end for sessions that a server makes up", async () => {
  const agent = new FakeAgent();
  await withAgent(agent, {}, async ({ transport, read }) => {
    const named = Array.from(
      { length: 600 },
      (_, id) => `data: {"jsonrpc":"2.0","id":"x${id}","result":{"sessionId":"s${id}"}}\n\n`,
    );
    await agent.send(named.join(""));
    assert.equal(await read(), undefined);
    assert.match((await transport.closed).reason, /more than 500 sessions/);
  });
});
