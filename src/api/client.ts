/**
 * One agent with its sessions.
 *
 * @module
 */

import { messageOf, MmError } from "../base/errors.ts";
import { asObject, asString } from "../base/guards.ts";
import { tell } from "../base/listeners.ts";
import type { AgentConnection, InitializeResult, RequestOptions } from "../client/connection.ts";
import { MethodRouter, type RequestHandler } from "../client/router.ts";
import { Terminals } from "../client/terminals.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { TransportEnd } from "../transport/transport.ts";
import { registerAgentRequests } from "./agent_requests.ts";
import type { Client, ClientOptions, Session, SessionOptions } from "./contract.ts";
import { facadedConnection } from "./facaded_connection.ts";
import { type Link, openLink } from "./link.ts";
import { PermissionDesk } from "./permission_desk.ts";
import type { AgentSession } from "./session.ts";
import { SessionOpener } from "./session_opener.ts";
import { type Opening, SessionRegistry } from "./session_registry.ts";
import { type SignIn, signIn } from "./sign_in.ts";
import { type DiscoveryMode, ToolDiscovery } from "./tool_discovery.ts";
import type { ToolReception } from "./tool_reception.ts";
import { ToolSupply } from "./tool_supply.ts";

/** Bound of each step of the setup. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Starts an agent, or reaches one, and does the handshake.
 *
 * Throws `MmError` with the code, the failed step in `phase` and the agent's stderr; nothing of the
 * agent is left running then.
 *
 * ```ts
 * import { openClient } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: Deno.cwd() });
 * const session = await client.newSession({ cwd: Deno.cwd() });
 * const outcome = await session.prompt([{ type: "text", text: "hello" }]);
 * await client.close();
 * ```
 */
export async function openClient(options: ClientOptions): Promise<Client> {
  const client = new AgentClient(options);
  await client.open();
  return client;
}

/** See {@link Client}. */
class AgentClient implements Client {
  readonly spec: AgentSpec;
  readonly #options: ClientOptions;
  readonly #router = new MethodRouter();
  readonly #registry = new SessionRegistry<AgentSession>();
  readonly #terminals: Terminals;
  readonly #desk: PermissionDesk;
  readonly #tools: ToolSupply;
  readonly #discovery: ToolDiscovery;
  readonly #opener: SessionOpener;
  readonly #closed = Promise.withResolvers<TransportEnd>();
  #link: Link | undefined;
  #isLost = false;
  #closing: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.spec = options.spec;
    this.#options = options;
    this.#tools = new ToolSupply(options);
    this.#discovery = new ToolDiscovery(options);
    const find = (sessionId: string) => this.#registry.find(sessionId);
    this.#terminals = new Terminals({
      roots: (sessionId) => find(sessionId)?.roots,
      onEvent: (sessionId, event) => this.#registry.receive(sessionId, event),
      ...(options.objection === undefined ? {} : { objection: options.objection }),
    });
    this.#desk = new PermissionDesk(options.permissionPolicy, (id) => find(id)?.store);
    this.#opener = new SessionOpener({
      spec: options.spec,
      timeoutMs: this.#timeoutMs,
      registry: this.#registry,
      tools: this.#tools,
      desk: this.#desk,
      terminals: this.#terminals,
      connection: () => this.connection,
      link: () => this.#link,
      isLost: () => this.#isLost,
      startedAgain: (opening) => this.#startedAgain(opening),
    });
    registerAgentRequests(this.#router, {
      options,
      registry: this.#registry,
      terminals: this.#terminals,
      desk: this.#desk,
      onList: (tools, sessionId) => this.#link?.receptions.sent(tools, sessionId),
    });
  }

  get connection(): AgentConnection {
    if (this.#link === undefined) throw new Error("the client is not open");
    return this.#link.connection;
  }

  get initialized(): InitializeResult {
    return this.connection.initialized;
  }

  get discovery(): DiscoveryMode {
    return this.#link?.mode ?? "request";
  }

  get sessions(): ReadonlyMap<string, Session> {
    return this.#registry.sessions;
  }

  toolReception(sessionId: string): ToolReception {
    return this.#link?.receptions.of(sessionId) ?? { asked: false, troubles: [] };
  }

  get closed(): Promise<TransportEnd> {
    return this.#closed.promise;
  }

  /** Starts the agent. */
  async open(): Promise<void> {
    const { signal } = this.#options;
    const close = () => void this.close();
    signal?.addEventListener("abort", close, { once: true });
    void this.closed.then(() => signal?.removeEventListener("abort", close));
    try {
      await this.#start(this.#discovery.first);
    } catch (error) {
      signal?.removeEventListener("abort", close);
      await this.#tools.close();
      throw error;
    }
  }

  newSession(options: SessionOptions): Promise<Session> {
    return this.#opener.open({ how: "new" }, options);
  }

  loadSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#opener.open({ how: "load", sessionId }, options);
  }

  resumeSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#opener.open({ how: "resume", sessionId }, options);
  }

  forkSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#opener.open({ how: "new", forkOf: sessionId }, options);
  }

  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.connection.request(method, params, options);
  }

  onExtension(method: string, handler: RequestHandler): () => void {
    return this.#router.register(method, handler);
  }

  signIn(how: SignIn, options: RequestOptions = { timeoutMs: this.#timeoutMs }): Promise<void> {
    return signIn(this.connection, how, this.spec, options);
  }

  stderr(): string {
    return this.#link?.connection.transport.stderr() ?? "";
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #start(mode: DiscoveryMode): Promise<void> {
    const { facade, signIn: how, signal, spec } = this.#options;
    const opened = await openLink({
      client: this.#options,
      router: this.#router,
      mode,
      toolbox: mode === "meta" ? await this.#tools.shared() : undefined,
      onUpdate: (params) => this.#update(params),
      onToolTrouble: (text) => this.#options.onAdvice?.(text),
    });
    const connection = facade === undefined
      ? opened.connection
      : facadedConnection(opened.connection, facade, (params) => this.#update(params));
    const link: Link = { ...opened, connection };
    const giveUp = () => void connection.close();
    signal?.addEventListener("abort", giveUp);
    try {
      if (how !== undefined) await signIn(connection, how, spec, { timeoutMs: this.#timeoutMs });
    } catch (error) {
      await connection.close();
      if (this.#closing === undefined) throw error;
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
    if (this.#closing !== undefined) {
      await link.connection.close();
      throw new MmError("interrupted", "Gave up starting the agent: the client was closed");
    }
    this.#link = link;
    void link.connection.closed.then((end) => {
      // A link that was replaced ends without anybody losing anything.
      if (this.#link === link) void this.#lost(end);
    });
  }

  #update(params: unknown): void {
    const { onUpdate } = this.#options;
    if (onUpdate !== undefined) tell(onUpdate, params);
    const { sessionId, update } = asObject(params);
    const id = asString(sessionId);
    if (id !== undefined) this.#registry.receive(id, { type: "update_received", update });
  }

  /** Starts the agent again where a session that is being opened shows that it takes tools otherwise. */
  async #startedAgain(opening: Opening): Promise<boolean> {
    const isOnly = [...this.#registry.sessions.keys()].every((id) => id === opening.sessionId);
    const mode = this.#link && await this.#discovery.other(opening, this.#link, isOnly);
    if (mode !== undefined) await this.#startAgain(opening, mode);
    return mode !== undefined;
  }

  async #startAgain(opening: Opening, mode: DiscoveryMode): Promise<void> {
    const before = this.#link;
    this.#link = undefined;
    await before?.connection.close();
    if (!this.#tools.isShared(opening.toolbox)) await opening.toolbox?.close();
    try {
      await this.#start(mode);
    } catch (error) {
      this.#closed.resolve({ reason: messageOf(error) });
      throw error;
    }
    this.#discovery.switched(mode);
    opening.toolbox = await this.#tools.open(opening.cwd, mode, opening.store);
    if (opening.how === "new") opening.sessionId = undefined;
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /** Settles everything after the connection has ended, whoever ended it. */
  async #lost(end: TransportEnd): Promise<void> {
    this.#isLost = true;
    this.#desk.cancel(undefined, "the agent is gone");
    await Promise.allSettled([
      ...[...this.#registry.sessions.values()].map((session) => session.disconnect(end.reason)),
      this.#terminals.close(),
      this.#tools.close(),
    ]);
    this.#closed.resolve(end);
  }

  async #close(): Promise<void> {
    const sessions = [...this.#registry.sessions.values()];
    // What fails to end must not keep the agent from being ended.
    await Promise.allSettled(sessions.map((session) => session.close()));
    await Promise.allSettled([
      this.#terminals.close(),
      this.#tools.close(),
      this.#link?.connection.close(),
    ]);
  }
}
