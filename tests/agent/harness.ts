/** An in-memory client of the reference agent, for the tests of this directory. */

import {
  client,
  type ClientCapabilities,
  type ClientContext,
  type ContentBlock,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { DEFAULT_AGENT_OPTIONS, serveAgent, type ServedAgent } from "../../src/agent/mod.ts";
import type { AgentOptions } from "../../src/agent/mod.ts";
import { within } from "../../src/base/clock.ts";
import type { WireMessage } from "../../src/transport/transport.ts";

/** What a client handler sees of a request. */
export interface Incoming {
  readonly method: string;
  // The raw params, for assertions.
  readonly params: Record<string, unknown>;
  readonly signal: AbortSignal;
}

/** How a test's client behaves. */
export interface Behaviour {
  readonly options?: Partial<AgentOptions>;
  readonly capabilities?: ClientCapabilities;
  /** Answers of the client by method; every other request is refused with -32601. */
  readonly answers?: Readonly<Record<string, (request: Incoming) => unknown>>;
}

/** A connected client. */
export class TestClient {
  readonly agent: ClientContext;
  readonly served: ServedAgent;
  readonly stderr: string[] = [];
  readonly updates: { sessionId: string; update: SessionUpdate }[] = [];
  /** Methods that the agent asked for, in order. */
  readonly asked: Incoming[] = [];
  readonly #close: () => void;

  constructor({ options, answers = {} }: Behaviour) {
    const [near, far] = streamPair();
    const app = client().onNotification("session/update", ({ params }) => {
      this.updates.push(params);
    });
    for (const [method, answer] of Object.entries(answers)) {
      app.onRequest(method, (params) => params as Record<string, unknown>, ({ params, signal }) => {
        const request = { method, params, signal };
        this.asked.push(request);
        return answer(request);
      });
    }
    this.served = serveAgent(far, {
      ...DEFAULT_AGENT_OPTIONS,
      pauseMs: 0,
      ...options,
      stderr: (line) => this.stderr.push(line),
    });
    const connection = app.connect(near as unknown as Parameters<typeof app.connect>[0]);
    this.agent = connection.agent;
    this.#close = () => connection.close();
  }

  /** Opens a session in `/project`. */
  async newSession(cwd = "/project"): Promise<string> {
    return (await this.agent.request("session/new", { cwd, mcpServers: [] })).sessionId;
  }

  /** Sends a prompt; gives the stop reason and the text that was said meanwhile. */
  async prompt(sessionId: string, prompt: string | ContentBlock[], cancel?: AbortSignal) {
    const from = this.updates.length;
    const blocks = typeof prompt === "string" ? [{ type: "text" as const, text: prompt }] : prompt;
    const { stopReason } = await this.agent.request("session/prompt", {
      sessionId,
      prompt: blocks,
    }, { cancellationSignal: cancel });
    const updates = this.updates.slice(from).map(({ update }) => update);
    return { stopReason, updates, text: textOf(updates) };
  }

  /** Waits until a condition holds, at most five seconds. */
  async until(condition: () => boolean): Promise<void> {
    const end = Date.now() + 5_000;
    while (!condition()) {
      if (Date.now() > end) throw new Error("the condition did not come true in time");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async close(): Promise<void> {
    this.served.close();
    this.#close();
    await within(this.served.closed, 5_000);
  }
}

/** Runs a test against an initialized agent and closes everything behind it. */
export async function withAgent(
  behaviour: Behaviour,
  test: (client: TestClient) => Promise<void>,
): Promise<void> {
  const tester = new TestClient(behaviour);
  try {
    await tester.agent.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: behaviour.capabilities,
    });
    await test(tester);
  } finally {
    await tester.close();
  }
}

/** The agent's words among updates. */
export function textOf(updates: readonly SessionUpdate[]): string {
  return updates.map((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text"
      ? update.content.text
      : ""
  ).join("");
}

/** The updates of one kind. */
export function ofKind<K extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: K,
): Extract<SessionUpdate, { sessionUpdate: K }>[] {
  return updates.filter((update) => update.sessionUpdate === kind) as Extract<
    SessionUpdate,
    { sessionUpdate: K }
  >[];
}

function streamPair() {
  const there = new TransformStream<WireMessage, WireMessage>();
  const back = new TransformStream<WireMessage, WireMessage>();
  return [
    { readable: back.readable, writable: there.writable },
    { readable: there.readable, writable: back.writable },
  ] as const;
}
