/**
 * Adding and replacing entries, and the bookkeeping of which ones may still change.
 *
 * @module
 */

import { wellFormed } from "./content.ts";
import { EntryList } from "./entry_list.ts";
import { PersistentMap } from "./persistent_map.ts";
import { retain, shortenCall } from "./retention.ts";
import type { Entry, EntryBase, MessageEntry, OpenParts, SessionState } from "./session.ts";

/** An entry without what every entry has. */
export type EntryBody = Entry extends infer E ? E extends Entry ? Omit<E, keyof EntryBase> : never
  : never;

/** What holds a new entry open: more chunks, the end of a call, the end of the turn, or nothing. */
export type Hold = "message" | "call" | "plan" | "none";

/** The bookkeeping of a session without entries. */
export function nothingOpen(): OpenParts {
  return { positions: PersistentMap.empty(), calls: [], kept: [], repeating: false };
}

/** The list without entries. */
export function noEntries(): EntryList<Entry> {
  return EntryList.empty<Entry>();
}

/** Adds an entry at the end of the session. Ends the open message, unless it comes from the side. */
export function appendEntry(
  before: SessionState,
  body: EntryBody,
  at: number,
  hold: Hold,
): SessionState {
  const aside = body.kind === "notice" || body.kind === "unknown" || body.kind === "command";
  const state = aside ? before : closeMessage(before, at);
  const index = state.entries.length;
  const base: EntryBase = {
    index,
    turn: state.turn.state === "running" ? state.turn.number : null,
    history: state.replaying,
    startedAt: at,
    ...(hold === "none" ? { endedAt: at } : {}),
  };
  const entry = { ...base, ...body } as Entry;
  const key = keyOf(entry);
  const { open } = state;
  return withOpen({ ...state, entries: state.entries.append(entry) }, {
    ...open,
    ...(key === undefined ? {} : { positions: open.positions.set(key, index) }),
    ...(hold === "message" ? { message: index } : {}),
    ...(hold === "plan" ? { plan: index } : {}),
    ...(hold === "call" ? { calls: [...open.calls, index] } : {}),
  });
}

/** The message that takes the next chunk, if any. */
export function openMessage(state: SessionState): MessageEntry | undefined {
  const index = state.open.message;
  const entry = index === undefined ? undefined : state.entries.at(index);
  return entry?.kind === "user" || entry?.kind === "agent" || entry?.kind === "thought"
    ? entry
    : undefined;
}

/** Ends the open message, if any: halves of characters that never met become U+FFFD. */
export function closeMessage(state: SessionState, at: number): SessionState {
  const open = openMessage(state);
  if (open === undefined) return state;
  const closed = putEntry(state, { ...open, parts: open.parts.map(wellFormed), endedAt: at });
  return withOpen(closed, { ...state.open, message: undefined, growing: undefined });
}

/** Replaces an entry that is neither opened nor closed by that. */
export function putEntry(state: SessionState, entry: Entry): SessionState {
  return { ...state, entries: state.entries.with(entry.index, entry) };
}

/**
 * Replaces a tool call or compaction; it is open exactly as long as it has no `endedAt`. One that has
 * ended may push older ones out of what is kept whole.
 */
export function putCall(state: SessionState, entry: Entry): SessionState {
  const { calls } = state.open;
  const next = keepBounded(putEntry(state, entry), entry);
  const listed = calls.includes(entry.index);
  const isOpen = entry.endedAt === undefined;
  if (listed === isOpen) return next;
  const others = calls.filter((index) => index !== entry.index);
  return withOpen(next, {
    ...next.open,
    calls: isOpen ? [...others, entry.index].sort((a, b) => a - b) : others,
  });
}

function keepBounded(state: SessionState, entry: Entry): SessionState {
  if (entry.kind !== "tool" || entry.endedAt === undefined) return state;
  const { kept, shorten } = retain(state.open.kept, entry);
  if (kept === state.open.kept) return state;
  const shortened = shorten.reduce((next, index) => {
    const call = next.entries.at(index);
    return call?.kind === "tool" ? putEntry(next, shortenCall(call)) : next;
  }, state);
  return withOpen(shortened, { ...state.open, kept });
}

/** The newest entry with this key (see {@link keyOf}). */
export function findEntry(state: SessionState, key: string): Entry | undefined {
  const index = state.open.positions.get(key);
  return index === undefined ? undefined : state.entries.at(index);
}

/** The name under which later updates find an entry; `undefined` for those that have none. */
function keyOf(entry: Entry): string | undefined {
  if (entry.kind === "tool") return `tool ${entry.toolCallId}`;
  if (entry.kind === "command") return `command ${entry.terminalId}`;
  return entry.kind === "compaction" ? `compaction ${entry.compactionId}` : undefined;
}

/** The state with other bookkeeping, and `finalBefore` moved on by it. */
export function withOpen(state: SessionState, open: OpenParts): SessionState {
  const first = Math.min(open.message ?? Infinity, open.calls[0] ?? Infinity, state.entries.length);
  return { ...state, open, finalBefore: Math.max(state.finalBefore, first) };
}
