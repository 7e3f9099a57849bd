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
import { SessionStore } from "../model/session_store.ts";
import type { TransportEnd } from "../transport/transport.ts";
import { registerAgentRequests } from "./agent_requests.ts";
import type { Client, ClientOptions, Session, SessionOptions } from "./contract.ts";
import { facadedConnection } from "./facaded_connection.ts";
import { type Link, openLink } from "./link.ts";
import { LateHistory } from "./late_history.ts";
import { openingError } from "./opening_error.ts";
import { PermissionDesk } from "./permission_desk.ts";
import { AgentSession } from "./session.ts";
import {
  askForSession,
  checkSessionDirectory,
  type OpeningAnswer,
  sessionSetup,
} from "./session_opening.ts";
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
  readonly #closed = Promise.withResolvers<TransportEnd>();
  #link: Link | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.spec = options.spec;
    this.#options = options;
    this.#tools = new ToolSupply(options);
    this.#discovery = new ToolDiscovery(options);
    const find = (sessionId: string) => this.#registry.find(sessionId);
    this.#terminals = new Terminals({
      cwd: (sessionId) => find(sessionId)?.cwd,
      onEvent: (sessionId, event) => this.#registry.receive(sessionId, event),
      ...(options.objection === undefined ? {} : { objection: options.objection }),
    });
    this.#desk = new PermissionDesk(options.permissionPolicy, (id) => find(id)?.store);
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
    return this.#open("new", undefined, options);
  }

  loadSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#open("load", sessionId, options);
  }

  resumeSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#open("resume", sessionId, options);
  }

  forkSession(sessionId: string, options: SessionOptions): Promise<Session> {
    return this.#open("new", undefined, options, sessionId);
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

  async #open(
    how: Opening["how"],
    sessionId: string | undefined,
    options: SessionOptions,
    forkOf?: string,
  ): Promise<Session> {
    await checkSessionDirectory(this.spec, options.cwd);
    const store = options.store ?? new SessionStore(options.cwd);
    const opening: Opening = {
      how,
      forkOf,
      sessionId,
      cwd: options.cwd,
      roots: [options.cwd, ...options.additionalDirectories ?? []],
      store,
      toolbox: await this.#tools.open(options.cwd, this.discovery, store),
      listed: false,
      updates: 0,
      history: "nothing",
      known: store.state.open.prompt !== undefined,
    };
    this.#registry.begin(opening);
    const link = this.#link;
    // What an agent says when it starts may be why it opens no session, but not why no further one.
    const isFirst = this.#registry.sessions.size === 0;
    const stderr = isFirst ? undefined : link?.connection.transport.watchStderr();
    try {
      return await this.#request(opening, options);
    } catch (error) {
      if (!this.#tools.isShared(opening.toolbox)) await opening.toolbox?.close();
      if (this.#link === undefined) throw error;
      throw await openingError(error, opening, {
        spec: this.spec,
        connection: this.connection,
        timeoutMs: this.#timeoutMs,
        stderr: this.#link === link && stderr !== undefined ? stderr() : this.stderr(),
      });
    } finally {
      this.#registry.end(opening);
    }
  }

  async #request(opening: Opening, options: SessionOptions): Promise<Session> {
    const setup = sessionSetup(options);
    const ask = () => askForSession(this.connection, opening, setup, this.#timeoutMs);
    let answer = await ask();
    const isOnly = [...this.#registry.sessions.keys()].every((id) => id === opening.sessionId);
    const mode = this.#link && await this.#discovery.other(opening, this.#link, isOnly);
    if (mode !== undefined) {
      await this.#startAgain(opening, mode);
      answer = await ask();
    }
    return this.#admit(opening, answer);
  }

  #admit(opening: Opening, { sessionId, raw }: OpeningAnswer): Session {
    const { how, cwd, roots, store, toolbox, forkOf, known } = opening;
    const session = new AgentSession({
      id: sessionId,
      cwd,
      roots,
      store,
      toolbox,
      late: how === "load" || forkOf !== undefined ? new LateHistory(store, known) : undefined,
      ownsToolbox: !this.#tools.isShared(toolbox),
      connection: this.connection,
      desk: this.#desk,
      terminals: this.#terminals,
      timeoutMs: this.#timeoutMs,
      onClose: (closing) => {
        if (this.#registry.sessions.get(sessionId) === closing) {
          this.#registry.sessions.delete(sessionId);
        }
      },
    });
    const before = this.#registry.sessions.get(sessionId);
    store.dispatch({ type: "session_opened", sessionId, cwd, how, response: raw });
    // What has come for a session that goes on from another one is what was said there.
    if (forkOf !== undefined) store.dispatch({ type: "replay_started" });
    this.#registry.register(sessionId, session);
    if (forkOf !== undefined) store.dispatch({ type: "replay_ended" });
    void before?.supersede();
    return session;
  }

  /** Starts the agent again in another mode, for a session that is being opened. */
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
