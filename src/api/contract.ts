/**
 * The shapes of the library: what `connect` takes, and what a client and its sessions can do.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { AgentConnection, InitializeResult, RequestOptions } from "../client/connection.ts";
import type { OutsideFileRequest } from "../client/files.ts";
import type { Objection } from "../client/objection.ts";
import type { RequestHandler } from "../client/router.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { ProcessStarter } from "../process/early_start.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import type { TraceTap, TransportEnd } from "../transport/transport.ts";
import type { Facade } from "./facade.ts";
import type { SignIn } from "./sign_in.ts";
import type { ToolReception } from "./tool_reception.ts";

/**
 * How client tools are offered to mini-me: it asks for their list (`request`), or is told it in
 * `initialize` (`meta`). `auto` begins with the first and starts the agent again where it turns out
 * to want the second.
 *
 * ```ts
 * import type { Discovery } from "@mm/repl";
 *
 * const discovery: Discovery = "request";
 * ```
 */
export type Discovery = "auto" | "request" | "meta";

/**
 * Decides a permission question, or leaves it waiting in the session's state for
 * {@link Session.answerPermission}.
 *
 * ```ts
 * import type { PermissionPolicy } from "@mm/repl";
 *
 * const policy: PermissionPolicy = ({ params }) => {
 *   const options = params.options as readonly { optionId: string; kind: string }[];
 *   const once = options.find(({ kind }) => kind === "allow_once");
 *   return once && { optionId: once.optionId, by: "rule" };
 * };
 * ```
 */
export type PermissionPolicy = (request: {
  /** The session that it belongs to. */
  readonly sessionId: string;
  /** The raw params of `session/request_permission`. */
  readonly params: JsonObject;
}) => PolicyDecision | Promise<PolicyDecision>;

/**
 * What a policy says: the option and who decided, or `undefined` to ask.
 *
 * ```ts
 * import type { PolicyDecision } from "@mm/repl";
 *
 * const decision: PolicyDecision = { optionId: "y", by: "rule", reason: "it only reads" };
 * ```
 */
export type PolicyDecision =
  | {
    /** `null` answers that the request is cancelled. */
    readonly optionId: string | null;
    /** A person, a rule or program, or nobody because there was no one to ask. */
    readonly by: "user" | "rule" | "nobody";
    /** Why, in a few words, for the transcript. */
    readonly reason?: string;
  }
  | undefined;

/**
 * How to connect. Session directories are given with each session.
 *
 * ```ts
 * import { type ClientOptions, openClient } from "@mm/repl";
 *
 * const options: ClientOptions = { spec: { kind: "demo" }, cwd: "/tmp", timeoutMs: 5_000 };
 * const client = await openClient(options);
 * await client.close();
 * ```
 */
export interface ClientOptions {
  /** How the agent is reached. */
  readonly spec: AgentSpec;
  /** The starting directory, absolute: under `meta` its tools are the ones that are offered. */
  readonly cwd: string;
  /** Directory that the agent's process starts in, absolute. Default `cwd`. */
  readonly agentCwd?: string;
  /**
   * Starts the agent's process. Default: `startProcess`.
   *
   * @internal
   */
  readonly startAgent?: ProcessStarter;
  /** Default `auto`. */
  readonly discovery?: Discovery;
  /** Remembered mode of an earlier run, tried first under `auto`. */
  readonly rememberedDiscovery?: "request" | "meta";
  /** Bound of each step of the setup in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Decides permission requests; absent: all of them wait in their session's state. */
  readonly permissionPolicy?: PermissionPolicy;
  /**
   * Opens the tools of a session in the directory `cwd`; absent: no client tools. Where the agent has
   * taken the list at its start, they are those of the starting directory: then `toolsOf` is that one.
   */
  readonly openToolbox?: (cwd: string, toolsOf?: string) => Promise<Toolbox>;
  /** Merged into `clientCapabilities._meta`; opaque. */
  readonly clientCapsMeta?: JsonObject;
  /**
   * Receives the raw params of every `session/update`, for any session. What it throws is reported
   * like any error that nobody catches.
   */
  readonly onUpdate?: (params: unknown) => void;
  /** Answers `elicitation/create`; absent: not advertised. */
  readonly onElicitation?: RequestHandler;
  /** Our own question about a file outside the session's roots; absent: refused. */
  readonly onOutsideFile?: (request: OutsideFileRequest) => Promise<boolean>;
  /**
   * Says what stands against a file inside the session's roots, or a command in a terminal, that the
   * agent has us read, write or run; absent: nothing does.
   */
  readonly objection?: Objection;
  /** Which file requests are offered to the agent. Default `all`, for a remote agent `none`. */
  readonly fs?: "all" | "read" | "write" | "none";
  /** Largest text that the agent may read through us, in bytes. Default 10 MiB. */
  readonly readLimit?: number;
  /** Whether terminals are offered to the agent. Default true, for a remote agent false. */
  readonly terminal?: boolean;
  /** Whether the agent may ask for its own program to be run in a terminal to sign in. Default false. */
  readonly terminalAuth?: boolean;
  /** Sent with `authenticate` right after `initialize`. */
  readonly signIn?: SignIn;
  /** Answers our own extension and `session/*` requests in this process where it can. */
  readonly facade?: Facade;
  /**
   * Told when the agent was started again because it takes tools in another way, and of what it could
   * not do with the tools; the text is advice for the user.
   */
  readonly onAdvice?: (text: string) => void;
  /** Told when it is known in which mode the agent takes tools, to be remembered for later runs. */
  readonly onDiscovery?: (mode: "request" | "meta") => void;
  /** Sees everything that goes over the wire. */
  readonly tap?: TraceTap;
  /** Aborting ends the setup, or the client. */
  readonly signal?: AbortSignal;
}

/**
 * How to open one session.
 *
 * ```ts
 * import { openClient, type SessionOptions } from "@mm/repl";
 *
 * const options: SessionOptions = { cwd: "/tmp", meta: { "example.org/origin": "a script" } };
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * await client.newSession(options);
 * await client.close();
 * ```
 */
export interface SessionOptions {
  /** Absolute. */
  readonly cwd: string;
  /** Further directories that the agent may work in, absolute. Default: none. */
  readonly additionalDirectories?: readonly string[];
  /** Verbatim; default `[]`. */
  readonly mcpServers?: readonly unknown[];
  /** `_meta` of `session/new`; absent when unset. */
  readonly meta?: JsonObject;
  /** The store that the session writes into; a new one when absent. */
  readonly store?: SessionStore;
}

/**
 * One connection to an agent with its sessions.
 *
 * ```ts
 * import { type Client, openClient } from "@mm/repl";
 *
 * const client: Client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const [first, second] = await Promise.all(["/tmp", "/"].map((cwd) => client.newSession({ cwd })));
 * console.assert(client.sessions.size === 2 && first?.id !== second?.id);
 * await client.close();
 * ```
 */
export interface Client {
  /** How the agent is reached. */
  readonly spec: AgentSpec;
  /** The agent's answer to `initialize`. */
  readonly initialized: InitializeResult;
  /** For everything of the protocol that has no method here. */
  readonly connection: AgentConnection;
  /**
   * The mode in which tools are offered on this connection. Under `auto` the first session may
   * change it, and with it `connection` and `initialized`: the agent is then started again.
   */
  readonly discovery: "request" | "meta";
  /** The open sessions by id. */
  readonly sessions: ReadonlyMap<string, Session>;
  /** What the agent has let us know about the tools of a session. */
  toolReception(sessionId: string): ToolReception;
  /**
   * Opens a session (`session/new`).
   *
   * @throws {MmError} `handshake`, `auth`, `agent_silent`, `agent_exited`, `agent_directory`
   */
  newSession(options: SessionOptions): Promise<Session>;
  /**
   * Opens a session of an earlier run with its history, which is complete when this resolves.
   *
   * @throws {MmError} `session_not_found`, `not_supported`, or as for {@link Client.newSession}
   */
  loadSession(sessionId: string, options: SessionOptions): Promise<Session>;
  /**
   * Opens a session of an earlier run without its history.
   *
   * @throws {MmError} as for {@link Client.loadSession}
   */
  resumeSession(sessionId: string, options: SessionOptions): Promise<Session>;
  /**
   * Opens a session that goes on from where another one is. Unstable in the protocol.
   *
   * @throws {MmError} as for {@link Client.loadSession}
   */
  forkSession(sessionId: string, options: SessionOptions): Promise<Session>;
  /**
   * Sends any request and gives the raw result: the way to extension methods.
   *
   * @throws {RpcError} the agent's own error
   * @throws {MmError} `agent_died`, `timeout`
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /** Answers an extension method that the agent calls on us; the returned function takes it back. */
  onExtension(method: string, handler: RequestHandler): () => void;
  /**
   * Signs in. Rejects with `auth` when the agent does not accept it. `options` replaces the usual
   * bound: a person may need minutes.
   */
  signIn(how: SignIn, options?: RequestOptions): Promise<void>;
  /** The agent's last stderr lines. */
  stderr(): string;
  /** Settles when the connection has ended, whoever ended it; never rejects. */
  readonly closed: Promise<TransportEnd>;
  /** Ends every session, tool, terminal and the agent. Idempotent. */
  close(): Promise<void>;
}

/**
 * One session of a client.
 *
 * ```ts
 * import { openClient, type Session } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: "/tmp" });
 * const session: Session = await client.newSession({ cwd: "/tmp" });
 * session.store.subscribe(({ event }) => console.log(event.type));
 * const outcome = await session.prompt([{ type: "text", text: "echo hello" }]);
 * console.assert(outcome.ok && session.store.state.entries.length === 2);
 * await client.close();
 * ```
 */
export interface Session {
  /** The agent's id of it. */
  readonly id: string;
  /** Its transcript and everything else that is known of it. */
  readonly store: SessionStore;
  /** The tools that it offers; `undefined` without any. */
  readonly toolbox: Toolbox | undefined;
  /**
   * Sends a prompt and waits for the turn to end. Turns of one session are serialised. Never
   * rejects: a failure is an outcome, `unsent` where the session has ended before.
   */
  prompt(blocks: readonly unknown[]): Promise<TurnOutcome>;
  /** Sends `session/cancel` and answers open permission questions with `cancelled`. */
  cancel(): void;
  /** Settles a waiting permission question; `null` is `cancelled`. Unknown ids are ignored. */
  answerPermission(requestId: string, optionId: string | null): void;
  /**
   * Sets the mode: done when this resolves.
   *
   * @throws {MmError} `not_supported`, `request_failed`, `timeout`, `agent_died`
   */
  setMode(modeId: string): Promise<void>;
  /** Sets the model; throws like {@link Session.setMode}. */
  setModel(modelId: string): Promise<void>;
  /** Sets a configuration option; throws like {@link Session.setMode}. */
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /** The server gives it to another connection: it has to be opened again before it is used. */
  readonly conflicted?: boolean;
  /** Releases terminals and tools; tells the agent when it knows `session/close`. */
  close(): Promise<void>;
}
