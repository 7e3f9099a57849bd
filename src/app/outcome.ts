/**
 * What the end of a turn means for the exit status.
 *
 * @module
 */

import { ERROR_TABLE, type ErrorCode } from "../base/errors.ts";
import type { TurnOutcome } from "../model/session.ts";

/** Stop reasons that are not the normal end, by the error code that each amounts to. */
const STOP_REASONS: ReadonlyMap<string, ErrorCode> = new Map([
  ["refusal", "refusal"],
  ["max_tokens", "max_tokens"],
  ["max_turn_requests", "max_turn_requests"],
  ["cancelled", "cancelled"],
]);

/** The error code that an outcome amounts to; `undefined` when the turn ended as it should. */
export function outcomeCode(outcome: TurnOutcome): ErrorCode | undefined {
  if (outcome.ok) {
    if (outcome.stopReason === "end_turn") return undefined;
    return STOP_REASONS.get(outcome.stopReason) ?? "unknown_stop_reason";
  }
  return isErrorCode(outcome.error.code) ? outcome.error.code : "turn_failed";
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_TABLE, code);
}
