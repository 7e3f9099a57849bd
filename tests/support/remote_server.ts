/**
 * A server for remote agents on 127.0.0.1, over HTTP and WebSockets, that can misbehave.
 *
 * @module
 */

import { AcpServer } from "@agentclientprotocol/sdk/experimental/server";
import { type ReceivedCall, RemoteAgent, type RemoteAgentOptions } from "./remote_agent.ts";

/** What the server does wrong with the events that it sends over HTTP. */
export type EventFault = "bytes" | "glued" | "type" | "half";

/** What an HTTP request is answered with instead. */
export interface Refusal {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body never ends. */
  readonly stalls?: boolean;
}

/** How to start it. */
export interface RemoteServerOptions extends RemoteAgentOptions {
  /** A header that every HTTP request, the one that opens a WebSocket included, must have. */
  readonly header?: readonly [name: string, value: string];
  readonly events?: EventFault;
  /** A header that its refusals repeat. */
  readonly echo?: string;
}

/** A running server. */
export class RemoteServer implements AsyncDisposable {
  /** Every JSON-RPC request and notification, over all connections. */
  readonly calls: ReceivedCall[];
  /** The headers of every HTTP request. */
  readonly headers: Headers[] = [];
  readonly agent: RemoteAgent;
  /** While set, every HTTP request is answered with it. */
  status: number | undefined;
  /** What the requests that bring a JSON-RPC method over HTTP are answered with, by method. */
  readonly refusals = new Map<string, Refusal>();
  readonly #options: RemoteServerOptions;
  readonly #acp: AcpServer;
  readonly #sockets = new Set<WebSocket>();
  readonly #events = new Set<(text: string) => void>();
  #port = 0;
  #abort = new AbortController();
  #served: Deno.HttpServer<Deno.NetAddr>;

  constructor(options: RemoteServerOptions = {}) {
    this.#options = options;
    this.agent = new RemoteAgent(options, {
      drop: () => this.drop(),
      stray: (message) => this.#send(message),
    });
    this.calls = this.agent.calls;
    this.#acp = new AcpServer({ createAgent: () => this.agent.connect() });
    this.#served = this.#serve();
    this.#port = this.#served.addr.port;
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${this.#port}/acp`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#port}/acp`;
  }

  /** Names of the received calls, in order. */
  get methods(): string[] {
    return this.calls.map(({ method }) => method);
  }

  /** Ends all connections; the server goes on. */
  drop(): void {
    for (const socket of this.#sockets) socket.close(1012, "restarting");
    void this.#acp.close();
  }

  /** Ends everything without a word, as a crash does. Sessions are kept. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.drop();
    await this.#served.finished;
  }

  /** Starts it again at the same address after {@link RemoteServer.stop}. */
  start(): void {
    this.#served = this.#serve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#acp.close();
  }

  #serve(): Deno.HttpServer<Deno.NetAddr> {
    this.#abort = new AbortController();
    return Deno.serve({
      hostname: "127.0.0.1",
      port: this.#port,
      signal: this.#abort.signal,
      onListen() {},
      onError: () => new Response(null, { status: 500 }),
    }, (request, { completed }) => {
      // Of a body that nobody takes any more before its first piece nothing else would tell.
      const gone = new AbortController();
      completed.catch(() => {}).finally(() => gone.abort());
      return this.#handle(request, gone.signal);
    });
  }

  async #handle(request: Request, gone: AbortSignal): Promise<Response> {
    // A copy: the original is gone with the request.
    this.headers.push(new Headers(request.headers));
    const { header, events, echo } = this.#options;
    if (this.status !== undefined) {
      const repeated = echo === undefined ? "" : `, ${request.headers.get(echo)}`;
      return new Response(`as told${repeated}`, { status: this.status });
    }
    if (header !== undefined && request.headers.get(header[0]) !== header[1]) {
      return new Response("who are you?", { status: 401 });
    }
    const { pathname } = new URL(request.url);
    if (pathname === "/html") {
      return new Response("<html></html>", { headers: { "content-type": "text/html" } });
    }
    if (request.headers.get("upgrade") === "websocket") return this.#upgrade(request);
    // A request of our own: the signal of Deno's also aborts when all has gone well.
    const { method, url, headers: sent } = request;
    const body = method === "POST" ? await request.text() : undefined;
    const refusal = this.refusals.get(String(JSON.parse(body ?? "{}").method));
    if (refusal !== undefined) return refuse(refusal);
    const response = await this.#acp.handleRequest(
      new Request(url, { method, headers: sent, body }),
    );
    const type = response.headers.get("content-type");
    if (type !== "text/event-stream" || response.body === null) return response;
    const fault = events === undefined ? new TransformStream() : faulty(events);
    const headers = new Headers(response.headers);
    if (events === "type") headers.set("content-type", "text/plain");
    const tapped = response.body.pipeThrough(this.#tap(), { signal: gone });
    return new Response(tapped.pipeThrough(fault), { headers });
  }

  #upgrade(request: Request): Response {
    const { socket, response } = Deno.upgradeWebSocket(request);
    this.#sockets.add(socket);
    const stray = (text: string) => socket.send(text);
    this.#events.add(stray);
    socket.addEventListener("close", () => {
      this.#sockets.delete(socket);
      this.#events.delete(stray);
    });
    const prepared = this.#acp.prepareWebSocketUpgrade();
    socket.addEventListener("open", () => prepared.accept(socket));
    return response;
  }

  /** Lets strays into a stream of events. */
  #tap(): TransformStream<Uint8Array, Uint8Array> {
    const encoder = new TextEncoder();
    let send: ((text: string) => void) | undefined;
    const leave = () => {
      if (send !== undefined) this.#events.delete(send);
    };
    return new TransformStream({
      start: (controller) => {
        send = (text) => controller.enqueue(encoder.encode(`data: ${text}\n\n`));
        this.#events.add(send);
      },
      flush: leave,
      cancel: leave,
    });
  }

  #send(message: unknown): void {
    for (const send of this.#events) send(JSON.stringify(message));
  }
}

function refuse({ status, body = "as told", headers, stalls = false }: Refusal): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(body));
      if (!stalls) controller.close();
    },
  });
  return new Response(stream, { status, headers: { ...headers } });
}

function faulty(fault: EventFault): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      switch (fault) {
        case "bytes":
          for (const byte of chunk) controller.enqueue(new Uint8Array([byte]));
          return;
        case "glued": {
          held.push(chunk);
          const whole = held;
          // What comes in the same moment goes out in one piece.
          if (held.length === 1) {
            setTimeout(() => {
              const text = whole.map((part) => new TextDecoder().decode(part)).join("");
              held = [];
              try {
                controller.enqueue(new TextEncoder().encode(text));
              } catch {
                // The reader has left.
              }
            }, 5);
          }
          return;
        }
        case "half":
          controller.enqueue(chunk.subarray(0, Math.floor(chunk.length / 2)));
          return;
        case "type":
          controller.enqueue(chunk);
      }
    },
  });
}
