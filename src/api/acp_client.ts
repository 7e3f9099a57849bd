/**
 * The shapes of a client with one session: what can be asked of it, and what comes back.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import type { RequestOptions } from "../client/connection.ts";
import type { RequestHandler } from "../client/router.ts";
import type { PlanStep, ToolEntry, ToolKind, ToolStatus } from "../model/session.ts";
import type { Client, Session } from "./contract.ts";
import type { ChatMessage } from "./prompt_text.ts";

/**
 * A content block of the protocol, sent as it is.
 *
 * ```ts
 * import type { PromptBlock } from "@mm/repl";
 *
 * const block: PromptBlock = { type: "resource_link", uri: "file:///tmp/a.txt", name: "a.txt" };
 * ```
 */
export interface PromptBlock {
  /** `text`, `resource_link`, or what else the agent says that it takes. */
  readonly type: string;
  /** What else a block of this type has. */
  readonly [member: string]: unknown;
}

/**
 * How one prompt is sent.
 *
 * ```ts
 * import { connect, type PromptOptions } from "@mm/repl";
 *
 * const options: PromptOptions = {
 *   onEvent: (event) => event.type === "text" && console.log(event.text),
 *   signal: AbortSignal.timeout(60_000),
 * };
 * await using client = await connect({ kind: "demo" });
 * await client.prompt("echo hello", options);
 * ```
 */
export interface PromptOptions {
  /**
   * Called with every event of the turn as it arrives. What it throws ends the turn, and `prompt`
   * rejects with it.
   */
  readonly onEvent?: (event: TurnEvent) => void;
  /**
   * Aborting cancels the turn, which then usually ends with the stop reason `cancelled`. A prompt
   * that waits for its turn is not sent at all.
   */
  readonly signal?: AbortSignal;
}

/**
 * Something that came in a turn.
 *
 * ```ts
 * import type { TurnEvent } from "@mm/repl";
 *
 * function show(event: TurnEvent): string {
 *   switch (event.type) {
 *     case "text":
 *       return event.text;
 *     case "tool_call":
 *       return `[${event.title}]`;
 *     default:
 *       return "";
 *   }
 * }
 * console.assert(show({ type: "text", text: "hi" }) === "hi");
 * ```
 */
export type TurnEvent =
  | ModelEvent
  | {
    /** A call has changed and not ended. */
    readonly type: "tool_update";
    readonly toolCallId: string;
    /** Everything that is known of the call now. */
    readonly call: ToolEntry;
  }
  | { readonly type: "plan"; readonly steps: readonly PlanStep[] }
  | {
    /** Any other update, as it came. */
    readonly type: "update";
    readonly update: JsonObject;
  };

/**
 * The events that a model source passes on.
 *
 * ```ts
 * import type { ModelEvent } from "@mm/repl";
 *
 * const texts = (events: readonly ModelEvent[]) =>
 *   events.flatMap((event) => event.type === "text" ? event.text : []);
 * console.assert(texts([{ type: "text", text: "a" }, { type: "thought", text: "b" }]).length === 1);
 * ```
 */
export type ModelEvent =
  | {
    /** A piece of the agent's message. */
    readonly type: "text";
    readonly text: string;
  }
  | {
    /** A piece of the agent's thinking. */
    readonly type: "thought";
    readonly text: string;
  }
  | {
    /** The agent has begun, or announced, a call of one of its tools. */
    readonly type: "tool_call";
    readonly toolCallId: string;
    readonly title: string;
    readonly kind: ToolKind;
    /** The raw input, when it is known already. */
    readonly input?: unknown;
    readonly call: ToolEntry;
  }
  | {
    /** A call has ended: once for each call. */
    readonly type: "tool_result";
    readonly toolCallId: string;
    readonly title: string;
    readonly status: ToolStatus;
    /** What it gave, as text; empty where it gave none. */
    readonly text: string;
    readonly call: ToolEntry;
  };

/**
 * The last thing that {@link AcpClient.stream} gives.
 *
 * ```ts
 * import { connect } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" });
 * const events = await Array.fromAsync(client.stream("echo hello"));
 * const last = events.at(-1);
 * console.assert(last?.type === "end" && last.result.stopReason === "end_turn");
 * ```
 */
export interface EndEvent {
  /** Tells it from the events before. */
  readonly type: "end";
  /** How the turn ended. */
  readonly result: TurnSuccess;
}

/**
 * A turn that the agent has ended.
 *
 * ```ts
 * import type { TurnSuccess } from "@mm/repl";
 *
 * const isComplete = ({ stopReason }: TurnSuccess) => stopReason === "end_turn";
 * ```
 */
export interface TurnSuccess {
  /** Tells it from a failure. */
  readonly ok: true;
  /** The agent's message: the text of all its chunks. */
  readonly text: string;
  /**
   * `end_turn`, `refusal`, `max_tokens`, `max_turn_requests`, `cancelled`, or what else the agent
   * says.
   */
  readonly stopReason: string;
  /** The agent's thinking. */
  readonly thoughts: string;
  /** The calls of the turn in the order in which they began. */
  readonly toolCalls: readonly ToolEntry[];
  /** What the agent says that the turn took. */
  readonly usage?: JsonObject;
}

/**
 * A turn that failed: an error of the agent, or its end.
 *
 * ```ts
 * import type { TurnFailure } from "@mm/repl";
 *
 * const explain = ({ error }: TurnFailure) => [error.message, error.hint, error.stderr].join("\n");
 * ```
 */
export interface TurnFailure {
  /** Tells it from a success. */
  readonly ok: false;
  /** With the agent's stderr and the error on the wire, when those are the cause. */
  readonly error: MmError;
  /** What had come before. */
  readonly text: string;
}

/**
 * How a turn ended.
 *
 * ```ts
 * import { connect, type TurnResult } from "@mm/repl";
 *
 * await using client = await connect({ kind: "demo" });
 * const result: TurnResult = await client.prompt("echo hello");
 * if (!result.ok) throw result.error;
 * console.assert(result.text === "hello");
 * ```
 */
export type TurnResult = TurnSuccess | TurnFailure;

/**
 * What a model is asked.
 *
 * ```ts
 * import type { GenerateRequest } from "@mm/repl";
 *
 * const request: GenerateRequest = { messages: [{ role: "user", content: "What is 2 + 2?" }] };
 * ```
 */
export interface GenerateRequest {
  /** The whole conversation; the latest message is the one to answer. */
  readonly messages: readonly ChatMessage[];
  /** Aborting cancels the turn; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * What a model answers.
 *
 * ```ts
 * import type { Generated } from "@mm/repl";
 *
 * const answer: Generated = { content: "4", stopReason: "end_turn" };
 * ```
 */
export interface Generated {
  /** The agent's message, and nothing else. */
  readonly content: string;
  /** Why the agent stopped; see {@link TurnSuccess.stopReason}. */
  readonly stopReason: string;
  /** What the agent says that the turn took. */
  readonly usage?: JsonObject;
}

/**
 * An agent with one open session.
 *
 * ```ts
 * import { type AcpClient, connect } from "@mm/repl";
 *
 * await using client: AcpClient = await connect({ kind: "demo" });
 * const [first, second] = await Promise.all([client.prompt("echo 1"), client.prompt("echo 2")]);
 * console.assert(first.text + second.text === "12");
 * ```
 */
export interface AcpClient extends AsyncDisposable {
  /** The agent's whole answer to `initialize`. */
  readonly initializeResult: JsonObject;
  /** The agent's id of the session. */
  readonly sessionId: string;
  /** The connection underneath, for more sessions and everything that the protocol has. */
  readonly client: Client;
  /** The session underneath, with its transcript. */
  readonly session: Session;
  /**
   * Sends a prompt and waits for the end of its turn. Turns are serialised: a prompt waits for the
   * ones before. Rejects only with what `onEvent` has thrown.
   */
  prompt(prompt: string | readonly PromptBlock[], options?: PromptOptions): Promise<TurnResult>;
  /**
   * Sends a prompt, when the first event is asked for, and gives what comes; the last event is of
   * type `end`. Leaving the loop early cancels the turn.
   *
   * @throws {MmError} when the turn fails
   */
  stream(
    prompt: string | readonly PromptBlock[],
    options?: Pick<PromptOptions, "signal">,
  ): AsyncGenerator<TurnEvent | EndEvent, void, void>;
  /**
   * Sends a conversation, as {@link assemblePromptText} writes it, and gives the agent's message.
   * Works without its client as well: `const { generate } = client`.
   *
   * @throws {MmError} `usage` without any message, or why the turn failed
   */
  generate(request: GenerateRequest): Promise<Generated>;
  /** The same, and every event of the turn to `emit` as it arrives. What `emit` throws ends the turn. */
  generateStream(
    request: GenerateRequest,
    emit: (event: ModelEvent) => void,
  ): Promise<Generated>;
  /** Cancels the running turn, if there is one. */
  cancel(): void;
  /**
   * Sends any request and gives the raw result: the way to extension methods. Without a bound in
   * `options` it waits as long as the agent lives.
   *
   * @throws {RpcError} the agent's own error
   * @throws {MmError} `agent_died`, `timeout`
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Sends a notification.
   *
   * @throws {MmError} `agent_died`
   */
  notify(method: string, params?: unknown): Promise<void>;
  /**
   * Takes an extension method of the agent, requests (which the handler answers) and notifications
   * (`requestId` is `null` and nothing is answered). The result takes it back.
   */
  onExtension(method: string, handler: RequestHandler): () => void;
  /** The agent's last stderr lines; empty for an agent that is no process of ours. */
  stderr(): string;
  /** Ends the session, the tools, and the agent with everything that it has started. Idempotent. */
  close(): Promise<void>;
}
