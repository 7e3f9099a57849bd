/**
 * The reference agent on one connection: which request is answered by what.
 *
 * @module
 */

import {
  agent,
  type AgentApp,
  type AgentConnection,
  type AnyMessage,
  type InitializeResponse,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { WireMessage } from "../transport/transport.ts";
import { type ClientTool, toolsOfInitialize, toolsOfSession } from "./client_tools.ts";
import type { AgentOptions } from "./options.ts";
import { Peer } from "./peer.ts";
import { agentCommands } from "./phrases.ts";
import { runPrompt } from "./prompt.ts";
import { type AgentSession, AgentSessions } from "./sessions.ts";
import { configOptions, initialSettings, modeState, withMode, withOption } from "./settings.ts";
import { Turn } from "./turn.ts";

/** What {@link serveAgent} takes besides the stream. */
export interface ServeOptions extends AgentOptions {
  /** Receives the lines that mini-me writes on its stderr, without their line ends. */
  readonly stderr: (line: string) => void;
}

/** A served connection. */
export interface ServedAgent {
  /** Settles when the connection has ended, by either side; never rejects. */
  readonly closed: Promise<void>;
  /** True when the agent itself ended it, because of the phrase `die`. */
  died(): boolean;
  /** Ends the connection. Idempotent. */
  close(): void;
}

const INITIALIZED: InitializeResponse = {
  protocolVersion: 1,
  agentInfo: { name: "mini-me (demo)", title: "mini-me demo", version: "0.1.0" },
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    sessionCapabilities: { list: {}, resume: {}, close: {} },
  },
  authMethods: [],
};

/** Serves the reference agent on a stream of JSON-RPC messages. */
export function serveAgent(
  stream: {
    readonly readable: ReadableStream<WireMessage>;
    readonly writable: WritableStream<WireMessage>;
  },
  options: ServeOptions,
): ServedAgent {
  const writer = stream.writable.getWriter();
  let died = false;
  const peer = new Peer(options, {
    client: () => connection.client,
    die() {
      died = true;
      connection.close();
    },
  });
  const app = agent({ name: "mini-me (demo)" });
  new Service(peer).register(app);
  const connection: AgentConnection = app.connect({
    readable: stream.readable as ReadableStream<unknown> as ReadableStream<AnyMessage>,
    writable: new WritableStream<AnyMessage>({ write: (message) => writer.write(message) }),
  });
  // The SDK leaves the stream open; the other side learns of the end only when it is closed.
  const closed = connection.closed.then(() => {
    writer.close().catch(() => {});
  });
  return { closed, died: () => died, close: () => connection.close() };
}

/** The handlers and what they share. */
class Service {
  readonly #peer: Peer;
  readonly #sessions = new AgentSessions();
  #metaTools: readonly ClientTool[] = [];

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  register(app: AgentApp): void {
    app
      .onRequest("initialize", ({ params }) => {
        this.#peer.capabilities = params.clientCapabilities ?? {};
        this.#metaTools = toolsOfInitialize(this.#peer);
        return INITIALIZED;
      })
      .onRequest("session/new", async ({ params }) => {
        const settings = initialSettings(this.#peer.options.yolo);
        const session = this.#sessions.create(params.cwd, settings);
        return { sessionId: session.id, ...await this.#opened(session) };
      })
      .onRequest("session/load", async ({ params }) => {
        const session = this.#sessions.reopen(params.sessionId, params.cwd);
        const answer = await this.#opened(session);
        for (const update of session.history()) await this.#peer.update(session.id, update);
        return answer;
      })
      .onRequest(
        "session/resume",
        ({ params }) => this.#opened(this.#sessions.reopen(params.sessionId, params.cwd)),
      )
      .onRequest("session/list", ({ params }) => ({ sessions: this.#sessions.list(params.cwd) }))
      .onRequest("session/close", ({ params }) => this.#sessions.close(params.sessionId))
      .onRequest("session/set_mode", ({ params }) => {
        const session = this.#sessions.get(params.sessionId);
        session.settings = withMode(session.settings, params.modeId) ??
          refuse(`there is no mode ${JSON.stringify(params.modeId)}`);
      })
      .onRequest("session/set_config_option", ({ params }) => {
        const session = this.#sessions.get(params.sessionId);
        session.settings = withOption(session.settings, params.configId, params.value) ??
          refuse(`${params.configId} cannot be set to ${JSON.stringify(params.value)}`);
        return { configOptions: this.#configOptions(session) };
      })
      .onRequest("session/prompt", ({ params, signal }) => this.#prompt(params, signal))
      .onNotification("session/cancel", ({ params }) => {
        this.#sessions.find(params.sessionId)?.turn?.abort();
      });
  }

  /** The common part of opening a session: finds its tools, and gives modes and options. */
  async #opened(session: AgentSession) {
    const { id: sessionId, cwd } = session;
    session.tools = this.#peer.options.discovery === "meta"
      ? this.#metaTools
      : await toolsOfSession(this.#peer, { sessionId, cwd });
    // After the answer: many clients know the session only then.
    setTimeout(() => this.#peer.update(sessionId, agentCommands()), 0);
    return { modes: modeState(session.settings), configOptions: this.#configOptions(session) };
  }

  #configOptions(session: AgentSession) {
    const knowsBoolean = this.#peer.capabilities.session?.configOptions?.boolean;
    return configOptions(session.settings, Boolean(knowsBoolean));
  }

  async #prompt(params: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const session = this.#sessions.get(params.sessionId);
    if (session.turn) {
      throw RequestError.invalidRequest(undefined, "a turn of this session is still running");
    }
    const controller = new AbortController();
    session.turn = controller;
    const turn = new Turn(this.#peer, session, AbortSignal.any([controller.signal, signal]));
    try {
      return { stopReason: await runPrompt(turn, params.prompt) };
    } catch (error) {
      if (turn.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    } finally {
      session.turn = undefined;
    }
  }
}

function refuse(reason: string): never {
  throw RequestError.invalidParams(undefined, reason);
}
