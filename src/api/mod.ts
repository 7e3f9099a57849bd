/**
 * The library behind mm-repl: drive an agent that speaks the Agent Client Protocol.
 *
 * Importing it starts nothing and prints nothing.
 *
 * ```ts
 * import { openClient } from "@mm/repl";
 *
 * const client = await openClient({ spec: { kind: "demo" }, cwd: Deno.cwd() });
 * const session = await client.newSession({ cwd: Deno.cwd() });
 * const outcome = await session.prompt([{ type: "text", text: "hello" }]);
 * await client.close();
 * ```
 *
 * @module
 */

export { type CleverAgents, cleverAgents, type Requester } from "./cleveragents.ts";
export { openClient } from "./client.ts";
export type {
  Client,
  ClientOptions,
  Discovery,
  PermissionPolicy,
  PolicyDecision,
  Session,
  SessionOptions,
} from "./contract.ts";
export {
  Facade,
  facade,
  type FacadeContext,
  type FacadeOptions,
  type ServiceMethod,
} from "./facade.ts";
export type { ServiceKey } from "./facade_wiring.ts";
export type { SignIn } from "./sign_in.ts";
export { AcpError, NotAvailable, OperationNotFound, VersionMismatch } from "../base/acp_errors.ts";
export { ERROR_TABLE, type ErrorCode, MmError, type MmErrorOptions } from "../base/errors.ts";
export { RPC, RpcError } from "../base/rpc.ts";
export type { AgentConnection, AuthMethod, InitializeResult } from "../client/connection.ts";
export type { OutsideFileRequest } from "../client/files.ts";
export type { CallContext, RequestHandler } from "../client/router.ts";
export {
  type AgentSpec,
  type DemoAgentSpec,
  describeAgent,
  type ProcessAgentSpec,
  type RemoteAgentSpec,
} from "../model/agent_spec.ts";
export type * from "../model/session.ts";
export { type SessionChange, SessionStore } from "../model/session_store.ts";
export type { Toolbox } from "../toolbox/toolbox.ts";
export type { TraceTap, TransportEnd } from "../transport/transport.ts";
