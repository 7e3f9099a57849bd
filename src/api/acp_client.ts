/**
 * The shape of a client with one session: what can be asked of it.
 *
 * @module
 */

import type { JsonObject } from "../base/guards.ts";
import type { RequestOptions } from "../client/connection.ts";
import type { RequestHandler } from "../client/router.ts";
import type { Client, Session } from "./contract.ts";
import type { ChatMessage } from "./prompt_text.ts";
import type { EndEvent, ModelEvent, TurnEvent, TurnResult } from "./turn.ts";

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
  /** Why the agent stopped; see `stopReason` of `TurnSuccess`. */
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
