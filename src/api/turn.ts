/**
 * What comes in one turn, and how it ends.
 *
 * @module
 */

import type { MmError } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import type { PlanStep, ToolEntry, ToolKind, ToolStatus } from "../model/session.ts";

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
 * The last thing that `stream` of an `AcpClient` gives.
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
