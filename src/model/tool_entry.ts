/**
 * Tool calls in a transcript, and the permission questions that belong to them.
 *
 * @module
 */

import type { ToolContent } from "./content_part.ts";
import type { EntryBase } from "./session_entry.ts";

/**
 * ACP's tool kinds; an unknown one falls back to `other`.
 *
 * ```ts
 * import type { ToolKind } from "@mm/repl";
 *
 * const harmless: readonly ToolKind[] = ["read", "search", "fetch", "think"];
 * ```
 */
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

/**
 * ACP's statuses, and `cancelled` for a call that was open when its turn was cancelled or ended.
 *
 * ```ts
 * import type { ToolStatus } from "@mm/repl";
 *
 * const ended: readonly ToolStatus[] = ["completed", "failed", "cancelled"];
 * ```
 */
export type ToolStatus = "pending" | "in_progress" | "completed" | "failed" | "cancelled";

/**
 * A file (and line) that a tool call touches.
 *
 * ```ts
 * import type { ToolLocation } from "@mm/repl";
 *
 * const location: ToolLocation = { path: "/home/user/a.ts", line: 12 };
 * ```
 */
export interface ToolLocation {
  /** Usually absolute. */
  readonly path: string;
  /** Counted from 1 by most agents. */
  readonly line?: number;
}

/**
 * One choice of a permission question.
 *
 * ```ts
 * import type { PermissionOption } from "@mm/repl";
 *
 * const option: PermissionOption = { optionId: "y", name: "Yes, once", kind: "allow_once" };
 * ```
 */
export interface PermissionOption {
  /** What is answered when it is chosen. */
  readonly optionId: string;
  /** What it is called to people. */
  readonly name: string;
  /** ACP's `allow_once`, `allow_always`, `reject_once`, `reject_always`, or what came instead. */
  readonly kind: string;
}

/**
 * How a permission question was settled.
 *
 * ```ts
 * import type { PermissionAnswer } from "@mm/repl";
 *
 * const answer: PermissionAnswer = { optionId: "y", by: "rule", reason: "reads are allowed" };
 * ```
 */
export interface PermissionAnswer {
  /** The chosen option, or `null` for `cancelled`. */
  readonly optionId: string | null;
  /** Who answered: a person, a rule or flag, nobody (there was no one to ask), or a cancel. */
  readonly by: "user" | "rule" | "nobody" | "cancel";
  /** Why, in a few words, for the transcript. */
  readonly reason?: string;
}

/**
 * A permission question on a tool call: waiting is a state of the call.
 *
 * ```ts
 * import type { PermissionState } from "@mm/repl";
 *
 * const isWaiting = (permission?: PermissionState) =>
 *   permission !== undefined && permission.answer === undefined;
 * console.assert(isWaiting({ requestId: "r1", options: [], askedAt: Date.now() }));
 * ```
 */
export interface PermissionState {
  /** Our own id of the question, unique in the session. */
  readonly requestId: string;
  /** In the agent's order. */
  readonly options: readonly PermissionOption[];
  /** Milliseconds since the epoch. */
  readonly askedAt: number;
  /** When the answer was given, in milliseconds since the epoch: the call goes on from there. */
  readonly answeredAt?: number;
  /** Absent while it waits. */
  readonly answer?: PermissionAnswer;
  /** The changes that were asked about: what the agent tells later may leave them out. */
  readonly diffs?: readonly ToolContent[];
}

/**
 * A line that a client tool wrote while it ran.
 *
 * ```ts
 * import type { ToolLogLine } from "@mm/repl";
 *
 * const line: ToolLogLine = { kind: "progress", text: "3 of 7 files" };
 * ```
 */
export interface ToolLogLine {
  /** `progress` says what the tool is doing now; `log` stays. */
  readonly kind: "log" | "progress";
  /** Without a newline at its end. */
  readonly text: string;
}

/**
 * A file that the agent has written through us.
 *
 * ```ts
 * import type { WrittenFile } from "@mm/repl";
 *
 * const isShown = ({ content }: WrittenFile) => content.type === "diff";
 * ```
 */
export interface WrittenFile {
  /** As the agent named it, absolute. */
  readonly path: string;
  /** The change, or in words that it cannot be shown. */
  readonly content: ToolContent;
}

/**
 * A tool call. One entry for each `toolCallId` of a session.
 *
 * ```ts
 * import type { ToolEntry } from "@mm/repl";
 *
 * const took = ({ startedAt, endedAt }: ToolEntry) =>
 *   endedAt === undefined ? undefined : endedAt - startedAt;
 * ```
 */
export interface ToolEntry extends EntryBase {
  /** Tells it from other entries. */
  readonly kind: "tool";
  /** The agent's id of the call. */
  readonly toolCallId: string;
  /** Never empty: the id or kind when the agent gave no title. */
  readonly title: string;
  /** The tool's own name, when the agent tells. */
  readonly name?: string;
  /** What the tool does, roughly. */
  readonly toolKind: ToolKind;
  /** Where the call stands. */
  readonly status: ToolStatus;
  /** What it has given, or shows while it runs. */
  readonly content: readonly ToolContent[];
  /** Files that it touches. */
  readonly locations: readonly ToolLocation[];
  /** The arguments as they came. */
  readonly rawInput?: unknown;
  /** The result as it came. */
  readonly rawOutput?: unknown;
  /** The newest permission question about it. */
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
  /** Files that the agent has written through us for this call; bounded, the newest kept. */
  readonly written?: readonly WrittenFile[];
}
