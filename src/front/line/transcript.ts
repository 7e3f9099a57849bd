/**
 * A session as lines that are written once, in the order in which things become final.
 *
 * @module
 */

import { append } from "../../base/append.ts";
import type { ThoughtsDisplay } from "../../app/options.ts";
import { textOf } from "../../model/content.ts";
import { isRefused } from "../../model/tool_call.ts";
import type { SessionChange } from "../../model/session_store.ts";
import type { Entry, MessageEntry, SessionState, ToolEntry } from "../../model/session.ts";
import { nameLine } from "../endless.ts";
import {
  commandLines,
  noticeLines,
  partsText,
  planLines,
  textLines,
  toolEndLine,
  toolLogLines,
  toolName,
  toolOutputLines,
} from "../entry_lines.ts";

/** A line, and what it is: front ends may colour it. */
export interface TranscriptLine {
  readonly kind: Entry["kind"] | "mark";
  readonly text: string;
}

/** How a transcript is written. */
export interface TranscriptOptions {
  readonly thoughts: () => ThoughtsDisplay;
  /** Whether the user's own prompts are written; a terminal shows them anyway. */
  readonly echo: boolean;
}

/** Follows one session. The work for a change does not depend on the length of the session. */
export class Transcript {
  readonly #options: TranscriptOptions;
  #seen = 0;
  /** Entries that are not final, by index. */
  readonly #waiting = new Set<number>();
  /** Tool calls whose beginning was written. */
  readonly #begun = new Set<number>();
  #history = false;

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  /** The lines that there are to write now. */
  advance(state: SessionState): readonly TranscriptLine[] {
    for (; this.#seen < state.entries.length; this.#seen++) this.#waiting.add(this.#seen);
    const lines: TranscriptLine[] = [];
    for (const index of this.#waiting) {
      const entry = state.entries.at(index);
      if (entry === undefined) continue;
      if (entry.kind === "tool" && !entry.history) append(lines, this.#beginTool(entry));
      if (entry.endedAt === undefined) continue;
      this.#waiting.delete(index);
      append(lines, [...this.#mark(entry.history), ...this.#entry(entry, state)]);
    }
    if (!state.replaying) append(lines, this.#mark(false));
    return lines;
  }

  /** The lines of an event that leaves no entry. */
  event({ event }: SessionChange): readonly TranscriptLine[] {
    if (event.type !== "tool_logged") return [];
    return toolLogLines(event.tool, event.text).map((text) => ({ kind: "tool", text }));
  }

  #mark(history: boolean): readonly TranscriptLine[] {
    if (history === this.#history) return [];
    this.#history = history;
    return [{
      kind: "mark",
      text: history ? "Earlier in this session:" : "End of what was before.",
    }];
  }

  #beginTool(entry: ToolEntry): readonly TranscriptLine[] {
    if (this.#begun.has(entry.index) || entry.endedAt !== undefined) return [];
    const { permission, status } = entry;
    // Before it runs it may still get another title. A question about it is written by itself.
    const waits = permission === undefined ? status === "pending" : permission.answer === undefined;
    if (waits || isRefused(entry)) return [];
    this.#begun.add(entry.index);
    const rule = permission?.answer?.by === "rule" ? ", allowed by a rule" : "";
    return [{ kind: "tool", text: `${toolName(entry)}: started${rule}` }];
  }

  #entry(entry: Entry, state: SessionState): readonly TranscriptLine[] {
    return this.#text(entry, state).map((text) => ({ kind: entry.kind, text }));
  }

  #text(entry: Entry, state: SessionState): readonly string[] {
    switch (entry.kind) {
      case "user":
        if (!this.#options.echo && !entry.history) return [];
        return promptLines(entry).map((line) => `> ${line}`);
      case "agent":
        return messageLines(entry);
      case "thought":
        if (this.#options.thoughts() === "hidden") return [];
        return messageLines(entry).map((line, index) =>
          index === 0 ? `Thought: ${line}` : `  ${line}`
        );
      case "tool":
        this.#begun.delete(entry.index);
        return [toolEndLine(entry), ...toolOutputLines(entry, state)];
      case "plan":
        return planLines(entry);
      case "notice":
        return noticeLines(entry);
      case "compaction":
        return [`Context compacted: ${nameLine(entry.status)}`];
      case "command":
        return commandLines(entry, state);
      case "unknown":
        return [`Unknown update: ${nameLine(entry.name)}`];
    }
  }
}

function messageLines(entry: MessageEntry): readonly string[] {
  return textLines(partsText(entry.parts));
}

/** What the person said; the files that went with it are named below, not repeated. */
function promptLines({ parts }: MessageEntry): readonly string[] {
  const others = parts.filter((part) => part.type !== "text").map((part) =>
    part.type === "resource" ? `[${part.uri}]` : partsText([part])
  );
  return [...textLines(textOf(parts)), ...others.flatMap(textLines)];
}
