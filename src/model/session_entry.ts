/**
 * What a transcript is made of.
 *
 * @module
 */

import type { ContentPart } from "./content_part.ts";
import type { ToolEntry } from "./tool_entry.ts";

/**
 * What every entry has.
 *
 * ```ts
 * import type { EntryBase } from "@mm/repl";
 *
 * const isLive = ({ endedAt }: EntryBase) => endedAt === undefined;
 * ```
 */
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

/**
 * Text and other content of the user, the agent, or the agent's thinking.
 *
 * ```ts
 * import type { MessageEntry } from "@mm/repl";
 *
 * const textOf = ({ parts }: MessageEntry) =>
 *   parts.map((part) => part.type === "text" ? part.text : "").join("");
 * ```
 */
export interface MessageEntry extends EntryBase {
  /** Whose message it is; `thought` is the agent's thinking. */
  readonly kind: "user" | "agent" | "thought";
  /** Chunks of text are joined. */
  readonly parts: readonly ContentPart[];
  /** The agent's id of the message, when it gives one. */
  readonly messageId?: string;
}

/**
 * One step of a plan.
 *
 * ```ts
 * import type { PlanStep } from "@mm/repl";
 *
 * const step: PlanStep = { content: "Read the code", priority: "high", status: "completed" };
 * ```
 */
export interface PlanStep {
  /** What is to be done. */
  readonly content: string;
  /** `high`, `medium`, `low`, or what came instead. */
  readonly priority: string;
  /** `pending`, `in_progress`, `completed`, or what came instead. */
  readonly status: string;
}

/**
 * The agent's plan: one entry for each turn, its steps replaced as a whole. It stays live (without
 * `endedAt`) until its turn ends, wherever it stands, and does not hold `finalBefore` back.
 *
 * ```ts
 * import type { PlanEntry } from "@mm/repl";
 *
 * const done = ({ steps }: PlanEntry) => steps.every(({ status }) => status === "completed");
 * ```
 */
export interface PlanEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "plan";
  /** All of them, in the agent's order. */
  readonly steps: readonly PlanStep[];
}

/**
 * A line of the agent, the protocol or mm-repl itself.
 *
 * ```ts
 * import type { NoticeEntry } from "@mm/repl";
 *
 * const line = ({ severity, text }: NoticeEntry) => `${severity}: ${text}`;
 * ```
 */
export interface NoticeEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "notice";
  /** How bad it is. */
  readonly severity: "info" | "warning" | "error";
  /** One line, as it came. */
  readonly text: string;
  /** More lines: a cause, advice, the agent's stderr. */
  readonly detail?: string;
  /** `agent` came over the wire, `repl` is ours. */
  readonly origin: "agent" | "repl";
}

/**
 * A compaction of the agent's context.
 *
 * ```ts
 * import type { CompactionEntry } from "@mm/repl";
 *
 * const failed = ({ status }: CompactionEntry) => status === "failed";
 * ```
 */
export interface CompactionEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "compaction";
  /** The agent's id of it. */
  readonly compactionId: string;
  /** `in_progress`, `completed`, `failed`, `cancelled`, or another string. */
  readonly status: string;
  /** What is left of the context, in words; may be empty. */
  readonly summary: string;
  /** Why it failed. */
  readonly error?: string;
}

/**
 * A command that the person ran beside the conversation. Its output is in a terminal of the session.
 *
 * ```ts
 * import type { CommandEntry, SessionState } from "@mm/repl";
 *
 * const outputOf = ({ terminalId }: CommandEntry, { terminals }: SessionState) =>
 *   terminals[terminalId]?.output ?? "";
 * ```
 */
export interface CommandEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "command";
  /** The line that the shell was given. */
  readonly command: string;
  /** Key of its terminal in the session. */
  readonly terminalId: string;
  /** Whether it was run to be shown to the agent with the next prompt. */
  readonly shared: boolean;
}

/**
 * An update of a kind that we do not know, kept as it came.
 *
 * ```ts
 * import type { UnknownEntry } from "@mm/repl";
 *
 * const line = ({ name }: UnknownEntry) => `unknown update ${name}`;
 * ```
 */
export interface UnknownEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "unknown";
  /** The kind that the agent gave it. */
  readonly name: string;
  /** The whole update. */
  readonly raw: unknown;
}

/**
 * Everything that a transcript is made of.
 *
 * ```ts
 * import type { Entry } from "@mm/repl";
 *
 * function title(entry: Entry): string {
 *   switch (entry.kind) {
 *     case "tool":
 *       return entry.title;
 *     case "notice":
 *       return entry.text;
 *     default:
 *       return entry.kind;
 *   }
 * }
 * ```
 */
export type Entry =
  | MessageEntry
  | ToolEntry
  | PlanEntry
  | NoticeEntry
  | CompactionEntry
  | CommandEntry
  | UnknownEntry;
