/**
 * The shapes of the library: what `connect` takes, and what a client and its sessions can do.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { AgentConnection, InitializeResult, RequestOptions } from "../client/connection.ts";
import type { OutsideFileRequest } from "../client/files.ts";
import type { RequestHandler } from "../client/router.ts";
import type { AgentSpec } from "../model/agent_spec.ts";
import type { TurnOutcome } from "../model/session.ts";
import type { SessionStore } from "../model/session_store.ts";
import type { ProcessStarter } from "../process/early_start.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";
import type { TraceTap, TransportEnd } from "../transport/transport.ts";
import type { Facade } from "./facade.ts";
import type { SignIn } from "./sign_in.ts";

/** How client tools are offered to mini-me. */
export type Discovery = "auto" | "request" | "meta";

/**
 * Decides a permission question: an `optionId`, `null` for `cancelled`, or `undefined` to leave it
 * waiting in the session's state for {@link Session.answerPermission}.
 */
export type PermissionPolicy = (request: {
  readonly sessionId: string;
  /** The raw params of `session/request_permission`. */
  readonly params: JsonObject;
}) => PolicyDecision | Promise<PolicyDecision>;

/** What a policy says: the option and who decided, or `undefined` to ask. */
export type PolicyDecision =
  | {
    readonly optionId: string | null;
    readonly by: "user" | "rule" | "nobody";
    readonly reason?: string;
  }
  | undefined;

/** How to connect. Session directories are given with each session. */
export interface ClientOptions {
  readonly spec: AgentSpec;
  /** The starting directory, absolute: under `meta` its tools are the ones that are offered. */
  readonly cwd: string;
  /** Directory that the agent's process starts in, absolute. Default `cwd`. */
  readonly agentCwd?: string;
  /** Starts the agent's process. Default: `startProcess`. */
  readonly startAgent?: ProcessStarter;
  readonly discovery?: Discovery;
  /** Remembered mode of an earlier run, tried first under `auto`. */
  readonly rememberedDiscovery?: "request" | "meta";
  /** Bound of each step of the setup in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  readonly permissionPolicy?: PermissionPolicy;
  /** Opens the tools of a session directory; absent: no client tools. */
  readonly openToolbox?: (cwd: string) => Promise<Toolbox>;
  /** Merged into `clientCapabilities._meta`; opaque. */
  readonly clientCapsMeta?: JsonObject;
  /** Receives the raw params of every `session/update`, for any session. */
  readonly onUpdate?: (params: unknown) => void;
  /** Answers `elicitation/create`; absent: not advertised. */
  readonly onElicitation?: RequestHandler;
  /** Our own question about a file outside the session's roots; absent: refused. */
  readonly onOutsideFile?: (request: OutsideFileRequest) => Promise<boolean>;
  /** Which file requests are offered to the agent. Default `all`, for a remote agent `none`. */
  readonly fs?: "all" | "read" | "write" | "none";
  /** Whether terminals are offered to the agent. Default true, for a remote agent false. */
  readonly terminal?: boolean;
  /** Whether the agent may ask for its own program to be run in a terminal to sign in. Default false. */
  readonly terminalAuth?: boolean;
  /** Sent with `authenticate` right after `initialize`. */
  readonly signIn?: SignIn;
  /** Answers our own extension and `session/*` requests in this process where it can. */
  readonly facade?: Facade;
  /** Largest text that the agent may read at once, in bytes. Default 10 MiB. */
  readonly maxReadBytes?: number;
  /** Told once when `auto` had to restart the agent in meta mode; the text is advice for the user. */
  readonly onAdvice?: (text: string) => void;
  /** Told when it is known in which mode the agent takes tools, to be remembered for later runs. */
  readonly onDiscovery?: (mode: "request" | "meta") => void;
  readonly tap?: TraceTap;
  /** Aborting ends the setup, or the client. */
  readonly signal?: AbortSignal;
}

/** How to open one session. */
export interface SessionOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[];
  /** Verbatim; default `[]`. */
  readonly mcpServers?: readonly unknown[];
  /** `_meta` of `session/new`; absent when unset. */
  readonly meta?: JsonObject;
  /** The store that the session writes into; a new one when absent. */
  readonly store?: SessionStore;
}

/** One connection to an agent with its sessions. */
export interface Client {
  readonly spec: AgentSpec;
  readonly initialized: InitializeResult;
  readonly connection: AgentConnection;
  /**
   * The mode in which tools are offered on this connection. Under `auto` the first session may
   * change it, and with it `connection` and `initialized`: the agent is then started again.
   */
  readonly discovery: "request" | "meta";
  readonly sessions: ReadonlyMap<string, Session>;
  newSession(options: SessionOptions): Promise<Session>;
  loadSession(sessionId: string, options: SessionOptions): Promise<Session>;
  resumeSession(sessionId: string, options: SessionOptions): Promise<Session>;
  /** Opens a session that goes on from where another one is. Unstable in the protocol. */
  forkSession(sessionId: string, options: SessionOptions): Promise<Session>;
  /**
   * Sends any request and gives the raw result: the way to extension methods. Rejects with `RpcError`
   * (the agent's own error) or `MmError` (`agent_died`, `timeout`).
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
  readonly closed: Promise<TransportEnd>;
  /** Ends every session, tool, terminal and the agent. Idempotent. */
  close(): Promise<void>;
}

/** One session of a client. */
export interface Session {
  readonly id: string;
  readonly store: SessionStore;
  readonly toolbox: Toolbox | undefined;
  /**
   * Sends a prompt and waits for the turn to end. Turns of one session are serialised. Never
   * rejects: a failure is an outcome.
   */
  prompt(blocks: readonly unknown[]): Promise<TurnOutcome>;
  /** Sends `session/cancel` and answers open permission questions with `cancelled`. */
  cancel(): void;
  /** Settles a waiting permission question; `null` is `cancelled`. Unknown ids are ignored. */
  answerPermission(requestId: string, optionId: string | null): void;
  setMode(modeId: string): Promise<void>;
  setModel(modelId: string): Promise<void>;
  setConfigOption(configId: string, value: string | boolean): Promise<void>;
  /** Releases terminals and tools; tells the agent when it knows `session/close`. */
  close(): Promise<void>;
}
