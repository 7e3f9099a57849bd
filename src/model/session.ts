/**
 * What a session is, as data: its entries, its turn, its settings, and the events that change it.
 *
 * Everything is immutable and plain. `reduceSession` (reduce.ts) is the only thing that makes one
 * state from another; front ends only read.
 *
 * @module
 */

import type { JsonRpcErrorObject } from "../base/errors.ts";
import type { JsonObject } from "../base/guards.ts";
import type { EntryList } from "./entry_list.ts";
import type { GrowingText } from "./growing_text.ts";
import type { PersistentMap } from "./persistent_map.ts";
import type { KeptCall } from "./retention.ts";
import type { Entry } from "./session_entry.ts";

export type { ContentPart, ToolContent } from "./content_part.ts";
export type {
  CommandEntry,
  CompactionEntry,
  Entry,
  EntryBase,
  MessageEntry,
  NoticeEntry,
  PlanEntry,
  PlanStep,
  UnknownEntry,
} from "./session_entry.ts";
export type { SessionEvent, SessionEventType } from "./session_event.ts";
export type {
  PermissionAnswer,
  PermissionOption,
  PermissionState,
  ToolEntry,
  ToolKind,
  ToolLocation,
  ToolLogLine,
  ToolStatus,
  WrittenFile,
} from "./tool_entry.ts";

/**
 * A mode that the session offers.
 *
 * ```ts
 * import type { SessionMode } from "@mm/repl";
 *
 * const mode: SessionMode = { id: "plan", name: "Plan", description: "Changes nothing" };
 * ```
 */
export interface SessionMode {
  /** What it is chosen by. */
  readonly id: string;
  /** What it is called to people. */
  readonly name: string;
  /** More about it, for people. */
  readonly description?: string;
  /** Name of the group that the agent lists it in. */
  readonly group?: string;
}

/**
 * Modes or models: what there is and which one is in force as the agent last confirmed.
 *
 * ```ts
 * import type { Choice } from "@mm/repl";
 *
 * const name = ({ current, available }: Choice) =>
 *   available.find(({ id }) => id === current)?.name ?? current;
 * console.assert(name({ current: "a", available: [{ id: "a", name: "A" }] }) === "A");
 * ```
 */
export interface Choice {
  /** The id of the one in force. */
  readonly current: string;
  /** In the agent's order; may be empty, and may not hold the current one. */
  readonly available: readonly SessionMode[];
}

/**
 * A configuration option of the agent.
 *
 * ```ts
 * import type { ConfigOption } from "@mm/repl";
 *
 * const isSwitch = ({ type }: ConfigOption) => type === "boolean";
 * ```
 */
export interface ConfigOption {
  /** What it is set by. */
  readonly id: string;
  /** What it is called to people. */
  readonly name: string;
  /** More about it, for people. */
  readonly description?: string;
  /** `mode`, `model`, `thought_level`, or another string. */
  readonly category?: string;
  /** `unknown` for kinds that we cannot set. */
  readonly type: "select" | "boolean" | "unknown";
  /** The value in force as the agent last confirmed. */
  readonly value: string | boolean;
  /** In the agent's order, groups flattened. */
  readonly options: readonly SessionMode[];
}

/**
 * A slash command of the agent.
 *
 * ```ts
 * import type { AgentCommand } from "@mm/repl";
 *
 * const command: AgentCommand = { name: "plan", description: "Make a plan", hint: "what for" };
 * ```
 */
export interface AgentCommand {
  /** Without the slash. */
  readonly name: string;
  /** May be empty. */
  readonly description: string;
  /** Hint for the argument, when it takes one. */
  readonly hint?: string;
}

/**
 * Context window and cost, as the agent reports them.
 *
 * ```ts
 * import type { Usage } from "@mm/repl";
 *
 * const share = ({ used = 0, size }: Usage) => size === undefined ? undefined : used / size;
 * console.assert(share({ used: 50, size: 200 }) === 0.25);
 * ```
 */
export interface Usage {
  /** Tokens in the context. */
  readonly used?: number;
  /** Tokens that fit. */
  readonly size?: number;
  /** Of the session so far; the currency is a code such as `USD`. */
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/**
 * How a turn ended.
 *
 * ```ts
 * import type { TurnOutcome } from "@mm/repl";
 *
 * const outcome: TurnOutcome = { ok: true, stopReason: "end_turn" };
 * ```
 */
export type TurnOutcome =
  | { readonly ok: true; readonly stopReason: string; readonly usage?: JsonObject }
  | {
    readonly ok: false;
    readonly error: TurnError;
    /** Set when the session had ended before: nothing was sent, and there was no turn. */
    readonly unsent?: true;
  };

/**
 * Why a turn failed.
 *
 * ```ts
 * import type { TurnError } from "@mm/repl";
 *
 * const error: TurnError = { code: "turn_failed", message: "The turn failed: no quota" };
 * ```
 */
export interface TurnError {
  /** An error code of ours, see `ERROR_TABLE`. */
  readonly code: string;
  /** What failed and why, in one sentence without a full stop. */
  readonly message: string;
  /** What can be done about it: one sentence. */
  readonly hint?: string;
  /** The agent's last stderr lines, when the agent is the cause. */
  readonly stderr?: string;
  /** The error as it came over the wire, when one is the cause. */
  readonly rpc?: JsonRpcErrorObject;
}

/**
 * The turn that runs, or that there is none.
 *
 * ```ts
 * import type { TurnState } from "@mm/repl";
 *
 * const isRunning = ({ state }: TurnState) => state === "running";
 * console.assert(!isRunning({ state: "idle" }));
 * ```
 */
export type TurnState =
  | { readonly state: "idle" }
  | {
    readonly state: "running";
    readonly number: number;
    readonly startedAt: number;
    readonly cancelRequested: boolean;
  };

/**
 * A terminal that we run for the agent.
 *
 * ```ts
 * import type { TerminalState } from "@mm/repl";
 *
 * const isRunning = ({ exit }: TerminalState) => exit === undefined;
 * ```
 */
export interface TerminalState {
  /** One line for people. */
  readonly command: string;
  /** The bounded tail, ANSI colours kept, character-safe. */
  readonly output: string;
  /** Whether the beginning of the output is missing. */
  readonly truncated: boolean;
  /** How the command ended; absent while it runs. */
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null };
}

/**
 * What may still change, kept so that no event has to look through the session. For the reducer
 * alone.
 */
export interface OpenParts {
  /** Index of the newest entry by key: `tool <id>` or `compaction <id>`. */
  readonly positions: PersistentMap<number>;
  /** Indexes of the tool calls and compactions that are not final, ascending. */
  readonly calls: readonly number[];
  /** The message that takes the next chunk. */
  readonly message?: number;
  /** The last text of that message, while it grows. */
  readonly growing?: GrowingText;
  /** The plan of the running turn. */
  readonly plan?: number;
  /** The newest user entry. */
  readonly prompt?: number;
  /** Big tool calls that are still kept whole, the oldest first. */
  readonly kept: readonly KeptCall[];
  /** True while a replay repeats entries that are already here. */
  readonly repeating: boolean;
}

/**
 * A whole session.
 *
 * ```ts
 * import type { SessionState } from "@mm/repl";
 *
 * const tools = ({ entries }: SessionState) => [...entries].filter(({ kind }) => kind === "tool");
 * ```
 */
export interface SessionState {
  /** Empty until the agent has named it. */
  readonly sessionId: string;
  /** The session's directory, absolute. */
  readonly cwd: string;
  /** As the agent calls it. */
  readonly title?: string;
  /** The transcript. */
  readonly entries: EntryList<Entry>;
  /**
   * Index of the first entry that may still change in the ordinary course: the open message, or the
   * first tool call or compaction that has not ended, else the number of entries. Never decreases.
   * Before it only three things still change: a plan without `endedAt`; an entry that the agent comes
   * back to with a late update that names it; and big tool calls of long ago, which are shortened.
   */
  readonly finalBefore: number;
  /**
   * For the reducer alone.
   *
   * @internal
   */
  readonly open: OpenParts;
  /** The turn that runs, if one does. */
  readonly turn: TurnState;
  /** Number of turns so far. */
  readonly turns: number;
  /** How the last turn ended. */
  readonly lastOutcome?: TurnOutcome;
  /** True while a loaded session repeats its history. */
  readonly replaying: boolean;
  /** Absent where the agent has none. */
  readonly modes?: Choice;
  /** From the `model` config option, or the older `models` field. */
  readonly models?: Choice;
  /** In the agent's order. */
  readonly configOptions: readonly ConfigOption[];
  /** The agent's own slash commands. */
  readonly commands: readonly AgentCommand[];
  /** As the agent last reported. */
  readonly usage?: Usage;
  /** Those that run for the agent, and those that have ended, by id. */
  readonly terminals: Readonly<Record<string, TerminalState>>;
  /** True once the connection behind it is gone. */
  readonly disconnected: boolean;
}
