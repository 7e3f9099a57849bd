/**
 * The requests about sessions, with results read leniently: absent, `null` and `{}` are accepted
 * wherever the protocol can do without.
 *
 * All of them reject like {@link AgentConnection.request}.
 *
 * @module
 */

import { asArray, asObject, asString, isObject, type JsonObject } from "../base/guards.ts";
import { RPC, RpcError } from "../base/rpc.ts";
import type { AgentConnection, InitializeResult, RequestOptions } from "./connection.ts";

/** The params that `session/new`, `load` and `resume` share. */
export interface SessionSetup {
  /** Absolute. */
  readonly cwd: string;
  readonly mcpServers: readonly unknown[];
  /** Absent when empty. */
  readonly additionalDirectories?: readonly string[];
  readonly _meta?: JsonObject;
}

/** A session that the agent knows. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly cwd?: string;
  readonly title?: string;
  /** ISO 8601. */
  readonly updatedAt?: string;
}

/** One page of `session/list`. */
export interface SessionPage {
  readonly sessions: readonly SessionInfo[];
  /** Asks for the next page; absent on the last one. */
  readonly nextCursor?: string;
}

/** How a prompt ended. */
export interface PromptResult {
  /** `end_turn` when the agent names no reason. */
  readonly stopReason: string;
  /** The raw `usage` of the result, if any. */
  readonly usage?: JsonObject;
}

/** What an agent may offer about sessions besides the basics. */
export type SessionAbility =
  | "load"
  | "list"
  | "resume"
  | "fork"
  | "close"
  | "delete"
  | "additionalDirectories";

/** True when the agent advertised the ability; absent and `null` mean no. */
export function supports(initialized: InitializeResult, ability: SessionAbility): boolean {
  const { capabilities } = initialized;
  if (ability === "load") return capabilities.loadSession === true;
  const offered = asObject(capabilities.sessionCapabilities)[ability];
  return offered === true || isObject(offered);
}

/** Opens a session; the result holds its raw answer. Throws an `RpcError` when it names no id. */
export async function newSession(
  connection: AgentConnection,
  setup: SessionSetup,
  options?: RequestOptions,
): Promise<{ readonly sessionId: string; readonly raw: JsonObject }> {
  const raw = asObject(await connection.request("session/new", setup, options));
  const sessionId = asString(raw.sessionId);
  if (sessionId === undefined || sessionId === "") {
    throw new RpcError(RPC.internalError, "the answer to session/new names no session");
  }
  return { sessionId, raw };
}

/** Opens a session that goes on from where another one is; the result is like a new session's. */
export async function forkSession(
  connection: AgentConnection,
  sessionId: string,
  setup: SessionSetup,
  options?: RequestOptions,
): Promise<{ readonly sessionId: string; readonly raw: JsonObject }> {
  const params = { sessionId, ...setup };
  const raw = asObject(await connection.request("session/fork", params, options));
  const forked = asString(raw.sessionId);
  if (forked === undefined || forked === "") {
    throw new RpcError(RPC.internalError, "the answer to session/fork names no session");
  }
  return { sessionId: forked, raw };
}

/** Loads (with its history) or resumes (without) a session; the raw answer may be empty. */
export async function reopenSession(
  connection: AgentConnection,
  how: "load" | "resume",
  sessionId: string,
  setup: SessionSetup,
  options?: RequestOptions,
): Promise<JsonObject> {
  return asObject(await connection.request(`session/${how}`, { sessionId, ...setup }, options));
}

/** One page of the sessions that the agent knows, those of a directory only when `cwd` is given. */
export async function listSessions(
  connection: AgentConnection,
  filter: { readonly cwd?: string; readonly cursor?: string } = {},
  options?: RequestOptions,
): Promise<SessionPage> {
  const raw = asObject(await connection.request("session/list", filter, options));
  return {
    sessions: asArray(raw.sessions).filter(isObject).flatMap(parseSessionInfo),
    nextCursor: asString(raw.nextCursor),
  };
}

/** Closes a session; one that the agent does not know counts as closed. */
export async function closeSession(
  connection: AgentConnection,
  sessionId: string,
  options?: RequestOptions,
): Promise<void> {
  await connection.request("session/close", { sessionId }, options);
}

/** Deletes a session; one that the agent does not know counts as deleted. */
export async function deleteSession(
  connection: AgentConnection,
  sessionId: string,
  options?: RequestOptions,
): Promise<void> {
  await connection.request("session/delete", { sessionId }, options);
}

/** Sets the mode; done when this resolves. */
export async function setSessionMode(
  connection: AgentConnection,
  sessionId: string,
  modeId: string,
  options?: RequestOptions,
): Promise<void> {
  await connection.request("session/set_mode", { sessionId, modeId }, options);
}

/** Sets the model the older way; done when this resolves. */
export async function setSessionModel(
  connection: AgentConnection,
  sessionId: string,
  modelId: string,
  options?: RequestOptions,
): Promise<void> {
  await connection.request("session/set_model", { sessionId, modelId }, options);
}

/** Sets a configuration option; gives the raw list of all options when the agent sent one. */
export async function setSessionConfigOption(
  connection: AgentConnection,
  sessionId: string,
  configId: string,
  value: string | boolean,
  options?: RequestOptions,
): Promise<readonly unknown[] | undefined> {
  const typed = typeof value === "boolean" ? { type: "boolean", value } : { value };
  const raw = asObject(
    await connection.request("session/set_config_option", {
      sessionId,
      configId,
      ...typed,
    }, options),
  );
  return Array.isArray(raw.configOptions) ? raw.configOptions : undefined;
}

/** Sends a prompt and waits for the turn to end. */
export async function promptSession(
  connection: AgentConnection,
  sessionId: string,
  prompt: readonly unknown[],
  options?: RequestOptions,
): Promise<PromptResult> {
  const raw = asObject(
    await connection.request("session/prompt", { sessionId, prompt }, options),
  );
  const stopReason = asString(raw.stopReason) ?? "end_turn";
  return isObject(raw.usage) ? { stopReason, usage: raw.usage } : { stopReason };
}

/** Asks the agent to end the turn; the prompt is answered when it has. */
export async function cancelSession(connection: AgentConnection, sessionId: string): Promise<void> {
  await connection.notify("session/cancel", { sessionId });
}

function parseSessionInfo(raw: JsonObject): SessionInfo[] {
  const sessionId = asString(raw.sessionId);
  if (sessionId === undefined) return [];
  return [{
    sessionId,
    cwd: asString(raw.cwd),
    title: asString(raw.title),
    updatedAt: asString(raw.updatedAt),
  }];
}
