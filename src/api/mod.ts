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

// One agent with one session.
export { connect, type ConnectOptions, type PermissionChoice } from "./connect.ts";
export type {
  AcpClient,
  Generated,
  GenerateRequest,
  PromptBlock,
  PromptOptions,
} from "./acp_client.ts";
export type {
  EndEvent,
  ModelEvent,
  TurnEvent,
  TurnFailure,
  TurnResult,
  TurnSuccess,
} from "./turn.ts";
export { assemblePromptText, type ChatMessage } from "./prompt_text.ts";

// The layer below: any number of sessions.
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
export type { SignIn } from "./sign_in.ts";
export type { ToolReception } from "./tool_reception.ts";
export {
  type AgentSpec,
  type DemoAgentSpec,
  describeAgent,
  type ProcessAgentSpec,
  type RemoteAgentSpec,
} from "../model/agent_spec.ts";
export type { OutsideFileRequest } from "../client/files.ts";
export type { AgentAct, Objection } from "../client/objection.ts";
export type {
  LoadedTool,
  Toolbox,
  ToolCallRequest,
  ToolDirectory,
  ToolProblem,
} from "../toolbox/toolbox.ts";
export type { AnyToolDefinition } from "../toolbox/tool.ts";
export type { ToolDescription, ToolResult, ToolResultBlock } from "../model/tool_manifest.ts";

// What a session is made of.
export { type NewSessionEvent, type SessionChange, SessionStore } from "../model/session_store.ts";
export type { EntryList } from "../model/entry_list.ts";
export type {
  AgentCommand,
  Choice,
  CommandEntry,
  CompactionEntry,
  ConfigOption,
  ContentPart,
  Entry,
  EntryBase,
  MessageEntry,
  NoticeEntry,
  PermissionAnswer,
  PermissionOption,
  PermissionState,
  PlanEntry,
  PlanStep,
  SessionEvent,
  SessionEventType,
  SessionMode,
  SessionState,
  TerminalState,
  ToolContent,
  ToolEntry,
  ToolKind,
  ToolLocation,
  ToolLogLine,
  ToolStatus,
  TurnError,
  TurnOutcome,
  TurnState,
  UnknownEntry,
  Usage,
  WrittenFile,
} from "../model/session.ts";

// The connection, and what goes over it.
export type {
  AgentConnection,
  AuthMethod,
  InitializeResult,
  RequestOptions,
} from "../client/connection.ts";
export {
  type CallContext,
  MethodRouter,
  type NotificationHandler,
  type RequestHandler,
} from "../client/router.ts";
export type { TraceTap, Transport, TransportEnd, WireMessage } from "../transport/transport.ts";
export type { JsonObject } from "../base/guards.ts";
export type { Unsubscribe } from "../base/listeners.ts";

// Agents with extension methods.
export {
  type CleverAgents,
  cleverAgents,
  type PlatformCall,
  type PlatformParams,
  type RegistryEntity,
  type Requester,
} from "./cleveragents.ts";
export {
  Facade,
  facade,
  type FacadeContext,
  type FacadeOptions,
  type ServiceMethod,
} from "./facade.ts";
export type { ServiceKey } from "./facade_wiring.ts";

// Errors.
export {
  AcpError,
  NotAvailable,
  type NotAvailableOptions,
  OperationNotFound,
  VersionMismatch,
} from "../base/acp_errors.ts";
export {
  ERROR_TABLE,
  type ErrorCode,
  type JsonRpcErrorObject,
  MmError,
  type MmErrorOptions,
} from "../base/errors.ts";
export { RPC, RpcError, type RpcMeaning } from "../base/rpc.ts";
