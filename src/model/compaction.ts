/**
 * Compactions of the agent's context: found by their id, changed in place.
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";
import { parseContent, textOf } from "./content.ts";
import { appendEntry, findEntry, putCall } from "./entries.ts";
import type { CompactionEntry, SessionState } from "./session.ts";

/** Takes a `compaction_update`: absent keeps, null clears, a value replaces. */
export function updateCompaction(
  state: SessionState,
  update: JsonObject,
  at: number,
): SessionState {
  return change(state, update, at, (entry) => ({
    ...entry,
    status: asString(update.status) ?? entry.status,
    summary: update.summary === undefined ? entry.summary : textOf(parseContent(update.summary)),
    error: update.error === undefined ? entry.error : asString(update.error),
  }));
}

/** Takes a `compaction_summary_chunk`: its text is appended to the summary. */
export function addSummaryChunk(state: SessionState, update: JsonObject, at: number): SessionState {
  return change(state, update, at, (entry) => ({
    ...entry,
    summary: entry.summary + textOf(parseContent(update.content)),
  }));
}

/** The compaction closed on our side, because its turn (or the connection) ended while it ran. */
export function abandonCompaction(entry: CompactionEntry, at: number): CompactionEntry {
  return settle({ ...entry, status: "cancelled" }, at);
}

function change(
  state: SessionState,
  update: JsonObject,
  at: number,
  apply: (entry: CompactionEntry) => CompactionEntry,
): SessionState {
  const raw = isObject(update) ? asString(update.compactionId) : undefined;
  const compactionId = raw ?? "";
  const found = findEntry(state, `compaction ${compactionId}`);
  if (found?.kind === "compaction") return putCall(state, settle(apply(found), at));
  const body = {
    kind: "compaction" as const,
    compactionId,
    status: "in_progress",
    summary: "",
  };
  const next = appendEntry(state, body, at, "call");
  const entry = next.entries.at(-1);
  return entry?.kind === "compaction" ? putCall(next, settle(apply(entry), at)) : next;
}

function settle(entry: CompactionEntry, at: number): CompactionEntry {
  if (entry.status === "in_progress" || entry.status === "pending") {
    const { endedAt: _, ...open } = entry;
    return open;
  }
  return {
    ...entry,
    summary: entry.summary.toWellFormed(),
    endedAt: entry.endedAt ?? at,
  };
}
