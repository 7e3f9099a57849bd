/**
 * What a run without a person comes to: its status, and the one document of `--output json`.
 *
 * @module
 */

import { outcomeCode } from "../../app/outcome.ts";
import { ERROR_TABLE, type ErrorCode } from "../../base/errors.ts";
import { asObject, asString } from "../../base/guards.ts";
import { textOf } from "../../model/content.ts";
import { runTime } from "../../model/tool_call.ts";
import type { SessionChange } from "../../model/session_store.ts";
import type { PermissionAnswer, SessionState, TurnOutcome } from "../../model/session.ts";

/** A permission question of the run, and how it was answered. */
interface AskedPermission {
  readonly requestId: string;
  readonly toolCallId: string | null;
  readonly title: string | null;
  /** A person could have decided it: in a turn, with something to choose from. */
  readonly real: boolean;
  readonly answer?: PermissionAnswer;
}

/** Why a run did not end as it should. */
export interface RunError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly stderr?: string;
  readonly rpc?: unknown;
}

/** Collects what a run came to. */
export class RunReport {
  #text: string[] = [];
  #permissions: readonly AskedPermission[] = [];
  #turns: readonly { readonly stopReason: string | null; readonly text: string }[] = [];
  #turnStart = 0;
  #error: RunError | undefined;

  /** A permission was refused because there was nobody to ask. */
  get denied(): boolean {
    return this.#permissions.some(({ real, answer }) => real && answer?.by === "nobody");
  }

  /** The first thing that went wrong. */
  get error(): RunError | undefined {
    return this.#error;
  }

  /** Takes a change of the session, and the text that it adds to the answer. */
  add({ event, state }: SessionChange, text: string): void {
    if (text !== "") this.#text.push(text);
    if (event.type === "permission_asked") {
      const call = asObject(event.toolCall);
      this.#permissions = [...this.#permissions, {
        requestId: event.requestId,
        toolCallId: asString(call.toolCallId) ?? null,
        title: asString(call.title) ?? null,
        real: state.turn.state === "running" && event.options.length > 0,
      }];
    }
    if (event.type === "permission_answered") {
      this.#permissions = this.#permissions.map((asked) =>
        asked.requestId === event.requestId ? { ...asked, answer: event.answer } : asked
      );
    }
  }

  /** Takes the end of a turn, which says why the run has failed unless that is known otherwise. */
  endTurn(outcome: TurnOutcome, isKnown: boolean): void {
    const text = this.#text.slice(this.#turnStart).join("").trimStart();
    this.#turnStart = this.#text.length;
    const stopReason = outcome.ok ? outcome.stopReason : null;
    this.#turns = [...this.#turns, { stopReason, text }];
    const code = outcomeCode(outcome);
    if (code !== undefined && !isKnown) {
      this.fail(
        outcome.ok
          ? { code, message: `${ERROR_TABLE[code].meaning} (${outcome.stopReason})` }
          : { ...outcome.error, code },
      );
    }
  }

  /** Notes what went wrong, unless something did before. */
  fail(error: RunError): void {
    this.#error ??= error;
  }

  /** The document: every member is always there, `null` where there is nothing to say. */
  document(state: SessionState): Readonly<Record<string, unknown>> {
    const entries = [...state.entries].filter((entry) => !entry.history);
    const { lastOutcome } = state;
    return {
      sessionId: state.sessionId === "" ? null : state.sessionId,
      stopReason: this.#turns.at(-1)?.stopReason ?? null,
      text: this.#text.join("").toWellFormed(),
      thoughts: entries.flatMap((entry) => entry.kind === "thought" ? [textOf(entry.parts)] : []),
      toolCalls: entries.flatMap((entry) =>
        entry.kind === "tool"
          ? [{
            id: entry.toolCallId,
            title: entry.title,
            kind: entry.toolKind,
            status: entry.status,
            durationMs: entry.endedAt === undefined ? null : runTime(entry, entry.endedAt),
          }]
          : []
      ),
      plan: entries.findLast((entry) => entry.kind === "plan")?.steps ?? null,
      usage: usage(state, lastOutcome),
      permissions: this.#permissions.map(({ toolCallId, title, answer }) => ({
        toolCallId,
        title,
        optionId: answer?.optionId ?? null,
        by: answer?.by ?? null,
        reason: answer?.reason ?? null,
      })),
      turns: this.#turns,
      error: this.#error ?? null,
    };
  }
}

function usage(state: SessionState, outcome: TurnOutcome | undefined): unknown {
  const turn = outcome?.ok === true ? outcome.usage : undefined;
  return state.usage === undefined && turn === undefined ? null : { ...state.usage, ...turn };
}
