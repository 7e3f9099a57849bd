/**
 * The events that change a session.
 *
 * @module
 */

import type { TurnOutcome } from "./session.ts";
import type { PermissionAnswer, PermissionOption } from "./tool_entry.ts";

/**
 * What happened to a session, in the past tense. `stream-json` prints these.
 *
 * ```ts
 * import type { SessionEvent } from "@mm/repl";
 *
 * const event: SessionEvent = { type: "mode_changed", modeId: "plan", at: Date.now() };
 * ```
 */
export type SessionEvent =
  & {
    /** Milliseconds since the epoch. */
    readonly at: number;
  }
  & (
    | {
      /** `session/new`, `load` or `resume` was answered. `response` is the raw result. */
      readonly type: "session_opened";
      readonly sessionId: string;
      readonly cwd: string;
      readonly how: "new" | "load" | "resume";
      readonly response: unknown;
    }
    | {
      readonly type: "replay_started";
      /** Whether what will be told is here already. Default: whether anything has been said here. */
      readonly known?: boolean;
    }
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
      /** A client tool wrote a line; it goes under the running call that is likely its own. */
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
    | {
      /** The person has started a command, whose output comes as that of a terminal. */
      readonly type: "command_started";
      readonly terminalId: string;
      readonly command: string;
      /** Whether it was run to be shown to the agent with the next prompt. */
      readonly shared: boolean;
    }
    | {
      /** The agent has written a file through us. */
      readonly type: "file_written";
      /** Absolute. */
      readonly path: string;
      readonly change: "created" | "changed";
      /** What was in the file; absent for a new one, and where it was no text or too large. */
      readonly oldText?: string;
      /** What is in the file now; absent where it is too large. */
      readonly newText?: string;
      /** Size of what was written. */
      readonly bytes: number;
    }
    | {
      /** The agent lists the session by a title. What it says in the session itself goes before. */
      readonly type: "title_listed";
      readonly title: string;
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

/**
 * The name of each kind of event.
 *
 * ```ts
 * import type { SessionEventType } from "@mm/repl";
 *
 * const ofTurns: readonly SessionEventType[] = ["prompt_sent", "turn_ended"];
 * ```
 */
export type SessionEventType = SessionEvent["type"];
