/**
 * The transcript of one session: what of it is finished, and what still changes.
 *
 * Every entry is looked at as long as it is open and forgotten once its final lines were given out.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import { asObject, asString } from "../../base/guards.ts";
import { findEntry } from "../../model/entries.ts";
import type { Entry, ToolStatus } from "../../model/session.ts";
import { isRefused } from "../../model/tool_call.ts";
import type { SessionChange, SessionStore } from "../../model/session_store.ts";
import { AgentView } from "./agent_view.ts";
import type { Folded, RenderContext, ViewContext } from "./entries/context.ts";
import { finalLines, liveLines, messageLines, nameOf } from "./entry_views.ts";
import { fit } from "./layout.ts";

/** What a transcript adds to a frame. */
export interface TranscriptLines {
  /** Lines to be written once, above everything that changes. */
  readonly finished: string[];
  /** Lines that still change. */
  readonly live: string[];
}

interface OpenEntry {
  readonly view?: AgentView;
  /** The entry was shown before and has changed since. */
  readonly late: boolean;
}

interface Top {
  /** Of the entry. */
  readonly index: number;
  readonly view: AgentView;
  /** Blank rows. */
  readonly before: number;
  readonly rows: number;
}

/** Folded entries that can be shown whole, newest last, at most. */
const MAX_FOLDED = 200;
/** Rows of a message that is being written that may still change: what comes later seldom reaches
 * further back, and a low window has to hold them. */
const MESSAGE_ROWS = 8;

/** The transcript of one session. */
export class Transcript {
  readonly store: SessionStore;
  /** Entries before this index were looked at. */
  #seen = 0;
  /** Entries that are not finished, by index. */
  readonly #open = new Map<number, OpenEntry>();
  /** Tool calls that were shown, and how they stood, to know what a late update changes. */
  readonly #shown = new Map<number, ToolStatus>();
  readonly #folded: number[] = [];
  /** Calls of which everything was shown but the arguments and the result as they came. */
  readonly #raw: number[] = [];
  /** The last block that was given out: its entry, and whether it was a single line of a call. */
  #last: { readonly index: number; readonly compact: boolean } | undefined;
  #history = false;
  /** The message whose rows are the first live ones, behind so many others. */
  #top: Top | undefined;

  constructor(store: SessionStore) {
    this.store = store;
  }

  /** Looks at a change: an entry that was finished may have been changed late. */
  note({ event, state }: SessionChange): void {
    // What is told a second time is no news.
    if (event.type !== "update_received" || state.open.repeating) return;
    const update = asObject(event.update);
    const id = asString(update.toolCallId);
    const entry = id === undefined ? undefined : findEntry(state, `tool ${id}`);
    if (entry?.kind !== "tool" || this.#open.has(entry.index)) return;
    const shown = this.#shown.get(entry.index);
    if (shown === undefined) return;
    // That a refused call has failed says nothing new.
    const ended = shown !== entry.status && !(entry.status === "failed" && isRefused(entry));
    const tellsMore = Boolean(update.content) || Boolean(update.rawOutput) || ended;
    if (tellsMore) this.#open.set(entry.index, { late: true });
  }

  /** The lines of the next frame; at most `rows` of them may be live. */
  frame(view: ViewContext, rows: number): TranscriptLines {
    const context: RenderContext = { ...view, state: this.store.state, whole: false };
    this.#lookAtNew(context);
    const finished: string[] = [];
    const live: string[] = [];
    const others = this.#othersLive(context);
    const room = Math.max(1, Math.min(MESSAGE_ROWS, rows - others.length - 2));
    for (const [index, open] of this.#open) {
      const entry = context.state.entries.at(index);
      if (entry === undefined) continue;
      const { lines, hidden } = this.#finishedLines(entry, open, context, room);
      this.#emit(finished, entry, open, lines, hidden, context);
      if (entry.endedAt !== undefined) this.#close(entry);
    }
    this.#top = undefined;
    // A message goes on where its finished rows are, whatever else is under way.
    const open = [...this.#open].sort(([, a], [, b]) => Number(!a.view) - Number(!b.view));
    for (const [index, { view }] of open) {
      const entry = context.state.entries.at(index);
      if (entry === undefined) continue;
      const lines = liveLines(entry, context, view);
      if (lines.length === 0) continue;
      const goesOn = view !== undefined && this.#last?.index === index && live.length === 0;
      const blank = !goesOn && (live.length > 0 || this.#last !== undefined) && lines[0] !== "";
      if (live.length === 0 && view !== undefined) {
        this.#top = { index, view, before: blank ? 1 : 0, rows: lines.length };
      }
      append(live, blank ? ["", ...lines] : lines);
    }
    const hidden = Math.max(0, live.length - Math.max(0, rows));
    const message = this.#top === undefined ? 0 : this.#top.before + this.#top.rows;
    if (hidden > 0 && message > rows) this.#top = undefined;
    live.splice(this.#top === undefined ? 0 : message, hidden);
    return { finished, live };
  }

  /**
   * The terminal has moved the last frame's live lines, and pushed the first `count` of them above
   * the screen. Gives how many of them stay where they are, as finished ones: the rows of a message,
   * whatever the terminal has made of them, but for the last one, which goes on. With `late`, that
   * frame may have come when it had moved them already: what was new in it is not to be relied on.
   */
  settle(count: number, late: boolean): number {
    if (this.#top === undefined) return 0;
    const { index, view, before, rows } = this.#top;
    const own = late ? rows - 2 : Math.max(rows - 1, count - before);
    const accepted = view.accept(Math.min(rows, own));
    const kept = accepted > 0 || (count >= before && !late) ? before + accepted : 0;
    if (kept > 0) this.#last = { index, compact: false };
    this.#top = undefined;
    return kept;
  }

  /**
   * The newest folded entry that was not shown whole yet, as a labelled block; when there is none
   * left, the newest call with all that it was given and has given.
   */
  expand(view: ViewContext): string[] | undefined {
    const index = this.#folded.pop() ?? this.#raw.pop();
    const entry = index === undefined ? undefined : this.store.state.entries.at(index);
    return entry === undefined ? undefined : this.#whole(entry, view);
  }

  /** Lines from elsewhere were written: the next block is a new one. */
  interrupt(): void {
    this.#last = { index: -1, compact: false };
  }

  #whole(entry: Entry, view: ViewContext): string[] {
    const context: RenderContext = { ...view, state: this.store.state, whole: true };
    const { theme, width } = view;
    const label = fit(`┌ in full: ${nameOf(entry)}`, width);
    const lines = finalLines(entry, context).lines;
    return ["", theme.style("accent", label), ...lines, theme.style("accent", "└")];
  }

  #lookAtNew(context: RenderContext): void {
    const { entries } = context.state;
    for (; this.#seen < entries.length; this.#seen++) {
      const entry = entries.at(this.#seen);
      const view = entry?.kind === "agent" ? { view: new AgentView(context.theme) } : {};
      this.#open.set(this.#seen, { ...view, late: false });
    }
  }

  #othersLive(context: RenderContext): readonly string[] {
    return [...this.#open].flatMap(([index, open]) => {
      const entry = context.state.entries.at(index);
      if (entry === undefined || entry.endedAt !== undefined || open.view !== undefined) return [];
      return ["", ...liveLines(entry, context, open.view)];
    });
  }

  #finishedLines(
    entry: Entry,
    open: OpenEntry,
    context: RenderContext,
    room: number,
  ): Folded {
    if (open.view !== undefined && entry.kind === "agent") {
      return messageLines(entry, context, open.view, room);
    }
    if (entry.endedAt === undefined) return { lines: [], hidden: 0 };
    return finalLines(entry, context);
  }

  #emit(
    finished: string[],
    entry: Entry,
    open: OpenEntry,
    lines: readonly string[],
    hidden: number,
    context: RenderContext,
  ): void {
    if (lines.length === 0) return;
    const small = entry.kind === "tool" || entry.kind === "notice";
    const compact = small && lines.length === 1 && !open.late;
    const goesOn = this.#last?.index === entry.index && !open.late;
    if (!goesOn) {
      const label = this.#label(entry, open, context);
      const blank = this.#last !== undefined && !(compact && this.#last.compact);
      if (blank || label.length > 0) finished.push("");
      append(finished, label);
      if (lines[0] === "") append(finished, lines.slice(1));
      else append(finished, lines);
    } else append(finished, lines);
    this.#last = { index: entry.index, compact };
    if (hidden > 0) push(this.#folded, entry.index);
    else if (hasRaw(entry)) push(this.#raw, entry.index);
  }

  /** Remarks before an entry on where it belongs. */
  #label(entry: Entry, open: OpenEntry, { theme }: RenderContext): string[] {
    const label: string[] = [];
    if (entry.history !== this.#history) {
      this.#history = entry.history;
      const text = entry.history ? "── earlier in this session ──" : "── from here on it is new ──";
      label.push(theme.style("dim", text), "");
    }
    if (open.late) label.push(theme.style("dim", "· came later:"));
    else if (entry.turn === null && !entry.history && comesFromAgent(entry)) {
      label.push(theme.style("dim", "· outside a turn:"));
    }
    return label;
  }

  #close(entry: Entry): void {
    this.#open.delete(entry.index);
    if (entry.kind === "tool") this.#shown.set(entry.index, entry.status);
  }
}

function push(indexes: number[], index: number): void {
  indexes.push(index);
  if (indexes.length > MAX_FOLDED) indexes.shift();
}

function hasRaw(entry: Entry): boolean {
  return entry.kind === "tool" && (entry.rawInput !== undefined || entry.rawOutput !== undefined);
}

function comesFromAgent(entry: Entry): boolean {
  return entry.kind === "agent" || entry.kind === "thought" || entry.kind === "tool";
}
