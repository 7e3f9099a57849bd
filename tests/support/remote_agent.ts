/**
 * The agent of the stand-in server: the conversation, driven by phrases in the prompt.
 *
 * @module
 */

import { agent, type AgentApp, type AgentContext, RequestError } from "@agentclientprotocol/sdk";
import { Platform } from "./remote_platform.ts";

/** One request or notification as the server has read it. */
export interface ReceivedCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How the agent behaves. */
export interface RemoteAgentOptions {
  /** Token that `authenticate` must bring; absent: nobody needs to sign in. */
  readonly token?: string;
  /** Shape of the streaming notifications. Default `page`: snake case, `type` and `data`. */
  readonly updates?: "page" | "standard";
  /** Whether `initialize` advertises `_cleveragents`. Default true. */
  readonly advertise?: boolean;
}

/** Drops all connections of the server, or sends a message that belongs to nothing. */
export interface RemoteHost {
  drop(): void;
  stray(message: unknown): void;
}

interface Session {
  readonly sessionId: string;
  readonly cwd: string;
  readonly prompts: string[];
  mode: string;
  model: string;
}

type Params = Readonly<Record<string, unknown>>;
type Update = Readonly<Record<string, unknown>>;

const MODES = [{ id: "manual", name: "Manual" }, { id: "trusted", name: "Trusted" }];
const MODELS = [{ modelId: "small", name: "Small" }, { modelId: "large", name: "Large" }];

/** What all connections share. */
export class RemoteAgent {
  readonly calls: ReceivedCall[] = [];
  readonly sessions = new Map<string, Session>();
  readonly platform = new Platform();
  readonly #options: RemoteAgentOptions;
  readonly #host: RemoteHost;
  readonly #cancelled = new Map<string, () => void>();
  #count = 0;

  constructor(options: RemoteAgentOptions, host: RemoteHost) {
    this.#options = options;
    this.#host = host;
  }

  /** The agent of one connection. */
  connect(): AgentApp {
    let signedIn = this.#options.token === undefined;
    return agent({ name: "stand-in" })
      .onRequest("initialize", ({ params }) => {
        this.calls.push({ method: "initialize", params: { ...params } });
        return this.#initialized();
      })
      .onRequest("authenticate", (raw) => raw as Params, ({ params }) => {
        this.calls.push({ method: "authenticate", params });
        signedIn = params.token === this.#options.token;
        if (!signedIn) throw new RequestError(-32002, "The token is not valid");
        return { status: "authenticated" };
      })
      .onRequest("*", async (context) => {
        const { method, client } = context;
        const params = (context.params ?? {}) as Params;
        this.calls.push({ method, params });
        if (!signedIn) throw new RequestError(-32002, "Authentication required");
        return await this.#answer(method, params, client);
      })
      .onNotification("*", (context) => {
        const { method } = context;
        const params = (context.params ?? {}) as Params;
        this.calls.push({ method, params });
        if (method === "session/cancel") this.#cancelled.get(String(params.sessionId))?.();
      });
  }

  #initialized() {
    const { token, advertise = true } = this.#options;
    const capabilities = {
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {} },
      ...(advertise ? { _meta: { _cleveragents: { version: 1 } } } : {}),
    };
    return {
      protocolVersion: 1,
      agentInfo: { name: "stand-in", version: "1.0.0" },
      agentCapabilities: capabilities,
      authMethods: token === undefined
        ? []
        : [{ id: "token", name: "Server token", _meta: { token: true } }],
    };
  }

  async #answer(method: string, params: Params, client: AgentContext): Promise<unknown> {
    if (method === "_cleveragents/methods") return { methods: this.platform.methods };
    if (method.startsWith("_")) return this.platform.call(method, params);
    const known = this.sessions.get(String(params.sessionId));
    switch (method) {
      case "session/new":
        return this.#opened(this.#create(String(params.cwd)));
      case "session/list":
        return {
          sessions: [...this.sessions.values()].map(({ sessionId, cwd }) => ({ sessionId, cwd })),
        };
    }
    if (known === undefined) throw new RequestError(-32001, "Session not found", params);
    switch (method) {
      case "session/load":
        for (const text of known.prompts) {
          await client.notify("session/update", {
            sessionId: known.sessionId,
            update: { sessionUpdate: "user_message_chunk", content: { type: "text", text } },
          });
        }
        return this.#opened(known);
      case "session/resume":
        return this.#opened(known);
      case "session/fork": {
        const fork = this.#create(String(params.cwd));
        fork.prompts.push(...known.prompts);
        return this.#opened(fork);
      }
      case "session/close":
        return {};
      case "session/set_mode":
        known.mode = String(params.modeId);
        return {};
      case "session/set_model":
        known.model = String(params.modelId);
        return {};
      case "session/prompt":
        return await this.#prompt(known, promptText(params), client);
      default:
        throw RequestError.methodNotFound(method);
    }
  }

  #create(cwd: string): Session {
    const sessionId = `ses_${++this.#count}`;
    const session = { sessionId, cwd, prompts: [], mode: "manual", model: "small" };
    this.sessions.set(sessionId, session);
    return session;
  }

  #opened({ sessionId, mode, model }: Session) {
    return {
      sessionId,
      modes: { currentModeId: mode, availableModes: MODES },
      models: { currentModelId: model, availableModels: MODELS },
    };
  }

  async #prompt(session: Session, text: string, client: AgentContext): Promise<unknown> {
    const { sessionId } = session;
    session.prompts.push(text);
    const say = (words: string) =>
      this.#update(client, sessionId, "agent_message_chunk", { text: words });
    const [phrase = "", ...rest] = text.split(" ");
    const argument = rest.join(" ");
    let stopReason = "end_turn";
    switch (phrase) {
      case "tool":
        await this.#update(client, sessionId, "tool_call", {
          tool_name: "local/git-diff",
          arguments: { resource: "local/platform-repo" },
        });
        await this.#update(client, sessionId, "tool_call_update", {
          tool_name: "local/git-diff",
          status: "success",
          result: "3 files changed",
        });
        break;
      case "numbers":
        for (const [tool_call_id, tool_name] of [[7, "first"], [8, "second"]]) {
          await this.#update(client, sessionId, "tool_call", { tool_call_id, tool_name });
        }
        for (const [tool_call_id, status] of [[7, "success"], [8, "error"]]) {
          await this.#update(client, sessionId, "tool_call_update", { tool_call_id, status });
        }
        await this.#update(client, sessionId, "agent_message_chunk", {
          content: [{ type: "text", text: "one, " }, "two"],
        });
        break;
      case "plan":
        await this.#update(client, sessionId, "plan", {
          entries: [{ content: "look", priority: "high", status: "completed" }],
        });
        break;
      case "mode":
        session.mode = argument;
        await this.#update(client, sessionId, "mode_change", { mode: argument });
        break;
      case "read":
        await say(await ask(client, "fs/read_text_file", { sessionId, path: argument }, "content"));
        break;
      case "write":
        await say(
          await ask(client, "fs/write_text_file", {
            sessionId,
            path: argument,
            content: "written",
          }),
        );
        break;
      case "run":
        await say(await run(client, sessionId, argument));
        break;
      case "permission":
        await say(await permission(client, sessionId));
        break;
      case "error":
        throw new RequestError(Number(argument), "As you asked", { asked: argument });
      case "visit": {
        const page = { mode: "url", elicitationId: "e1", url: argument, message: "Sign in there" };
        await say(await ask(client, "elicitation/create", { sessionId, ...page }, "action"));
        break;
      }
      case "call":
        await say(await ask(client, argument, {}));
        break;
      case "big":
        await say("x".repeat(Number(argument)));
        break;
      case "stray":
        this.#host.stray({ jsonrpc: "2.0", id: 987_654, result: { stopReason: "refusal" } });
        await say("stray");
        break;
      case "deaf":
        await new Promise(() => {});
        break;
      case "hang":
      case "drop": {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#cancelled.set(sessionId, resolve);
        await say("partial");
        if (phrase === "drop") this.#host.drop();
        await promise;
        stopReason = "cancelled";
        break;
      }
      default:
        await say(`you said: ${text}`);
    }
    return { stopReason };
  }

  async #update(
    client: AgentContext,
    sessionId: string,
    type: string,
    data: Update,
  ): Promise<void> {
    const page = { session_id: sessionId, type, data };
    const params = this.#options.updates === "standard" ? standard(sessionId, type, data) : page;
    await client.notify<unknown>("session/update", params);
  }
}

/** The same notification in the shape of the protocol. */
function standard(sessionId: string, type: string, data: Update): unknown {
  const update = {
    agent_message_chunk: { content: { type: "text", text: data.text } },
    tool_call: { toolCallId: "c1", title: data.tool_name, rawInput: data.arguments },
    tool_call_update: { toolCallId: "c1", status: "completed", rawOutput: data.result },
    plan: data,
    mode_change: { currentModeId: data.mode },
  }[type];
  const sessionUpdate = type === "mode_change" ? "current_mode_update" : type;
  return { sessionId, update: { sessionUpdate, ...update } };
}

async function ask(
  client: AgentContext,
  method: string,
  params: Params,
  member?: string,
): Promise<string> {
  try {
    const result = await client.request<Params, Params>(method, params);
    return member === undefined ? "done" : String(result[member]);
  } catch (error) {
    return error instanceof RequestError ? `refused (${error.code}): ${error.message}` : "failed";
  }
}

async function run(client: AgentContext, sessionId: string, command: string): Promise<string> {
  const created = await ask(client, "terminal/create", { sessionId, command }, "terminalId");
  if (created.startsWith("refused")) return created;
  const terminal = { sessionId, terminalId: created };
  await ask(client, "terminal/wait_for_exit", terminal, "exitCode");
  const output = await ask(client, "terminal/output", terminal, "output");
  await ask(client, "terminal/kill", terminal);
  await ask(client, "terminal/release", terminal);
  return output;
}

async function permission(client: AgentContext, sessionId: string): Promise<string> {
  const result = await client.request<{ outcome: { outcome: string; optionId?: string } }, Params>(
    "session/request_permission",
    {
      sessionId,
      toolCall: { toolCallId: "p1", title: "deploy", kind: "execute", rawInput: { to: "prod" } },
      options: [
        { optionId: "yes", name: "Allow", kind: "allow_once" },
        { optionId: "no", name: "Reject", kind: "reject_once" },
      ],
    },
  );
  return result.outcome.optionId ?? result.outcome.outcome;
}

function promptText({ prompt }: Params): string {
  const blocks = Array.isArray(prompt) ? prompt : [];
  return blocks.map((block) => block?.text ?? "").join("");
}
