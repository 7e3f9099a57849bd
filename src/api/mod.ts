/**
 * The library behind mm-repl: drive an agent that speaks the Agent Client Protocol.
 *
 * {@link connect} starts an agent and opens a session: prompts, streamed events, tools of your own,
 * and generated text for another framework. {@link openClient} is the layer below, with any number
 * of sessions and their transcripts.
 *
 * Importing it starts nothing and prints nothing.
 *
 * ```ts
 * import { connect } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" }); // for mini-me: connect("mm -acp")
 * for await (const event of client.stream("echo hello")) {
 *   if (event.type === "text") console.log(event.text);
 * }
 * ```
 *
 * @module
 */

export { connect, type ConnectOptions, type PermissionChoice } from "./connect.ts";
export type {
  AcpClient,
  EndEvent,
  Generated,
  GenerateRequest,
  ModelEvent,
  PromptBlock,
  PromptOptions,
  TurnEvent,
  TurnFailure,
  TurnResult,
  TurnSuccess,
} from "./acp_client.ts";
export { assemblePromptText, type ChatMessage } from "./prompt_text.ts";
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
