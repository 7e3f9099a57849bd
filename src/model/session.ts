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

/** One block of content, normalised from ACP's `ContentBlock`. Unknown kinds are kept. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image" | "audio";
    readonly mimeType: string;
    /** Base64. */
    readonly data: string;
    readonly uri?: string;
  }
  | {
    readonly type: "resource_link";
    readonly uri: string;
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly mimeType?: string;
    /** Bytes. */
    readonly size?: number;
  }
  | {
    readonly type: "resource";
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** Base64. */
    readonly blob?: string;
  }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };

/** What a tool call carries besides its title. */
export type ToolContent =
  | { readonly type: "content"; readonly content: ContentPart }
  | {
    readonly type: "diff";
    readonly path: string;
    /** Absent for a new file; an empty string is an existing empty file. */
    readonly oldText?: string;
    readonly newText: string;
  }
  | { readonly type: "terminal"; readonly terminalId: string }
  | { readonly type: "unknown"; readonly name: string; readonly raw: unknown };

/** ACP's tool kinds; an unknown one falls back to `other`. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

/** ACP's statuses, and `cancelled` for a call that was open when its turn was cancelled or ended. */
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled";

/** A file (and line) that a tool call touches. */
export interface ToolLocation {
  readonly path: string;
  readonly line?: number;
}

/** One choice of a permission question. `kind` is ACP's, or an unknown string as it came. */
export interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** How a permission question was settled. */
export interface PermissionAnswer {
  /** The chosen option, or `null` for `cancelled`. */
  readonly optionId: string | null;
  /** Who answered: a person, a rule or flag, nobody (there was no one to ask), or a cancel. */
  readonly by: "user" | "rule" | "nobody" | "cancel";
  /** Why, in a few words, for the transcript. */
  readonly reason?: string;
}

/** A permission question on a tool call: waiting is a state of the call. */
export interface PermissionState {
  /** Our own id of the question, unique in the session. */
  readonly requestId: string;
  readonly options: readonly PermissionOption[];
  readonly askedAt: number;
  /** Absent while it waits. */
  readonly answer?: PermissionAnswer;
}

/** A line that a client tool wrote while it ran. */
export interface ToolLogLine {
  readonly kind: "log" | "progress";
  readonly text: string;
}

/** What every entry has. */
export interface EntryBase {
  /** Position in the session, counted from 0; stable. */
  readonly index: number;
  /** The turn it belongs to, counted from 1; `null` outside any turn. */
  readonly turn: number | null;
  /** True when it was replayed by `session/load`. */
  readonly history: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** When it became final; absent while more may come. */
  readonly endedAt?: number;
}

/** Text and other content of the user, the agent, or the agent's thinking. */
export interface MessageEntry extends EntryBase {
  readonly kind: "user" | "agent" | "thought";
  readonly parts: readonly ContentPart[];
  readonly messageId?: string;
}

/** A tool call. One entry for each `toolCallId` of a session. */
export interface ToolEntry extends EntryBase {
  readonly kind: "tool";
  readonly toolCallId: string;
  /** Never empty: the id or kind when the agent gave no title. */
  readonly title: string;
  /** The tool's own name, when the agent tells. */
  readonly name?: string;
  readonly toolKind: ToolKind;
  readonly status: ToolStatus;
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly permission?: PermissionState;
  /** `log` and `progress` lines of a client tool; bounded, the newest kept. */
  readonly log: readonly ToolLogLine[];
  /**
   * Shell output that the agent sends only in `_meta` (`terminal_output`, `terminal_output_delta`);
   * bounded, the newest kept.
   */
  readonly metaOutput?: string;
  /** How that shell command ended, when the agent says so in `_meta` (`terminal_exit`). */
  readonly metaExit?: { readonly exitCode: number | null; readonly signal: string | null };
}

/** One step of a plan. */
export interface PlanStep {
  readonly content: string;
  readonly priority: string;
  readonly status: string;
}

/**
 * The agent's plan: one entry for each turn, its steps replaced as a whole. It stays live (without
 * `endedAt`) until its turn ends, wherever it stands, and does not hold `finalBefore` back.
 */
export interface PlanEntry extends EntryBase {
  readonly kind: "plan";
  readonly steps: readonly PlanStep[];
}

/** A line of the agent, the protocol or mm-repl itself. */
export interface NoticeEntry extends EntryBase {
  readonly kind: "notice";
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  /** More lines: a cause, advice, the agent's stderr. */
  readonly detail?: string;
  /** `agent` came over the wire, `repl` is ours. */
  readonly origin: "agent" | "repl";
}

/** A compaction of the agent's context. */
export interface CompactionEntry extends EntryBase {
  readonly kind: "compaction";
  readonly compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or another string. */
  readonly status: string;
  readonly summary: string;
  /** Why it failed. */
  readonly error?: string;
}

/** An update of a kind that we do not know, kept as it came. */
export interface UnknownEntry extends EntryBase {
  readonly kind: "unknown";
  readonly name: string;
  readonly raw: unknown;
}

/** Everything that a transcript is made of. */
export type Entry =
  | MessageEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | CompactionEntry
  | UnknownEntry;

/** A mode that the session offers. */
export interface SessionMode {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** Modes or models: what there is and which one is in force as the agent last confirmed. */
export interface Choice {
  readonly current: string;
  readonly available: readonly SessionMode[];
}

/** A configuration option of the agent. */
export interface ConfigOption {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** `mode`, `model`, `thought_level`, or another string. */
  readonly category?: string;
  readonly type: "select" | "boolean" | "unknown";
  readonly value: string | boolean;
  /** Groups flattened; `group` keeps the group's name. */
  readonly options: readonly (SessionMode & { readonly group?: string })[];
}

/** A slash command of the agent. */
export interface AgentCommand {
  readonly name: string;
  readonly description: string;
  /** Hint for the argument, when it takes one. */
  readonly hint?: string;
}

/** Context window and cost, as the agent reports them. */
export interface Usage {
  /** Tokens in the context. */
  readonly used?: number;
  /** Tokens that fit. */
  readonly size?: number;
  readonly cost?: { readonly amount: number; readonly currency: string };
}

/** How a turn ended. */
export type TurnOutcome =
  | { readonly ok: true; readonly stopReason: string; readonly usage?: JsonObject }
  | { readonly ok: false; readonly error: TurnError };

/** Why a turn failed. */
export interface TurnError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly stderr?: string;
  readonly rpc?: JsonRpcErrorObject;
}

/** The turn that runs, or that there is none. */
export type TurnState =
  | { readonly state: "idle" }
  | {
    readonly state: "running";
    readonly number: number;
    readonly startedAt: number;
    readonly cancelRequested: boolean;
  };

/** A terminal that we run for the agent. */
export interface TerminalState {
  readonly command: string;
  /** The bounded tail, ANSI colours kept, character-safe. */
  readonly output: string;
  readonly truncated: boolean;
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

/** A whole session. */
export interface SessionState {
  /** Empty until the agent has named it. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly title?: string;
  readonly entries: EntryList<Entry>;
  /**
   * Index of the first entry that may still change in the ordinary course: the open message, or the
   * first tool call or compaction that has not ended, else the number of entries. Never decreases.
   * Before it only three things still change: a plan without `endedAt`; an entry that the agent comes
   * back to with a late update that names it; and big tool calls of long ago, which are shortened.
   */
  readonly finalBefore: number;
  readonly open: OpenParts;
  readonly turn: TurnState;
  /** Number of turns so far. */
  readonly turns: number;
  readonly lastOutcome?: TurnOutcome;
  readonly replaying: boolean;
  readonly modes?: Choice;
  /** From the `model` config option, or the older `models` field. */
  readonly models?: Choice;
  readonly configOptions: readonly ConfigOption[];
  readonly commands: readonly AgentCommand[];
  readonly usage?: Usage;
  readonly terminals: Readonly<Record<string, TerminalState>>;
  /** True once the connection behind it is gone. */
  readonly disconnected: boolean;
}

/** What happened to a session, in the past tense. `stream-json` prints these. */
export type SessionEvent =
  & { readonly at: number }
  & (
    | {
      /** `session/new`, `load` or `resume` was answered. `response` is the raw result. */
      readonly type: "session_opened";
      readonly sessionId: string;
      readonly cwd: string;
      readonly how: "new" | "load" | "resume";
      readonly response: unknown;
    }
    | { readonly type: "replay_started" }
    | { readonly type: "replay_ended" }
    | {
      /** A `session/update` arrived; `update` is the raw value of `params.update`. */
      readonly type: "update_received";
      readonly update: unknown;
    }
    | { readonly type: "prompt_sent"; readonly blocks: readonly unknown[] }
    | { readonly type: "cancel_requested" }
    | {
      /** The reducer adds the notice for every outcome but `end_turn`, so that no one else need to. */
      readonly type: "turn_ended";
      readonly outcome: TurnOutcome;
    }
    | {
      readonly type: "permission_asked";
      readonly requestId: string;
      /** The raw `toolCall` of the request. */
      readonly toolCall: unknown;
      readonly options: readonly PermissionOption[];
    }
    | {
      readonly type: "permission_answered";
      readonly requestId: string;
      readonly answer: PermissionAnswer;
    }
    | {
      /** A client tool wrote a line. `toolCallId` when the running call is known, else by `tool`. */
      readonly type: "tool_logged";
      readonly tool: string;
      readonly kind: "log" | "progress";
      readonly text: string;
    }
    | { readonly type: "terminal_created"; readonly terminalId: string; readonly command: string }
    | {
      /** The whole bounded tail so far. */
      readonly type: "terminal_output";
      readonly terminalId: string;
      readonly output: string;
      readonly truncated: boolean;
    }
    | {
      readonly type: "terminal_exited";
      readonly terminalId: string;
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
    | { readonly type: "mode_changed"; readonly modeId: string }
    | { readonly type: "model_changed"; readonly modelId: string }
    | { readonly type: "config_changed"; readonly configOptions: unknown }
    | {
      readonly type: "notice_added";
      readonly severity: "info" | "warning" | "error";
      readonly text: string;
      readonly detail?: string;
    }
    | { readonly type: "disconnected"; readonly reason: string }
  );

/** The name of each kind of event. */
export type SessionEventType = SessionEvent["type"];
