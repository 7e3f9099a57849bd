/**
 * The tool call that a permission question is about.
 *
 * @module
 */

import type { Question } from "../app/view.ts";
import { findEntry } from "../model/entries.ts";
import type { ToolEntry } from "../model/session.ts";

/** The call as it stands now; `undefined` where the question is about none. */
export function askedCall(question: Question): ToolEntry | undefined {
  if (question.kind !== "permission" || question.toolCallId === undefined) return undefined;
  const state = question.store?.state;
  const entry = state === undefined ? undefined : findEntry(state, `tool ${question.toolCallId}`);
  return entry?.kind === "tool" ? entry : undefined;
}
