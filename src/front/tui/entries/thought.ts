/**
 * The agent's thinking: dim while it runs, one line when it is over.
 *
 * @module
 */

import { counted } from "../../../base/counted.ts";
import { textOf } from "../../../model/content.ts";
import type { MessageEntry } from "../../../model/session.ts";
import { duration, wrapBehind } from "../layout.ts";
import { type Folded, type RenderContext, textLines } from "./context.ts";

/** Rows of a running thought that are shown. */
const LIVE_ROWS = 4;

/** A thought that has ended, as the setting wants it. */
export function renderThought(entry: MessageEntry, context: RenderContext): Folded {
  const { theme, thoughts, whole } = context;
  if (thoughts === "hidden" && !whole) return { lines: [], hidden: 0 };
  const lines = textLines(textOf(entry.parts));
  if (lines.length === 0) return { lines: [], hidden: 0 };
  const taken = entry.history ? 0 : (entry.endedAt ?? entry.startedAt) - entry.startedAt;
  const time = taken < 50 ? "" : ` for ${duration(taken)}`;
  if (thoughts === "full" || whole) {
    const title = theme.style("dim", `✻ thought${time}`);
    return { lines: [title, ...rows(lines, context)], hidden: 0 };
  }
  const title = theme.style("dim", `✻ thought${time} · ${counted(lines.length, "line")}`);
  return { lines: [title], hidden: lines.length };
}

/** A thought that goes on: its last rows. */
export function renderThoughtLive(entry: MessageEntry, context: RenderContext): string[] {
  const { theme, thoughts } = context;
  const title = theme.style("dim", `✻ thinking · ${duration(context.now - entry.startedAt)}`);
  if (thoughts === "hidden") return [title];
  // Only the end of a long thought is looked at.
  const lines = textLines(textOf(entry.parts).slice(-4 * LIVE_ROWS * context.width));
  return [title, ...rows(lines, context).slice(-LIVE_ROWS)];
}

function rows(lines: readonly string[], { theme, width }: RenderContext): string[] {
  return lines.flatMap((line) => wrapBehind("  ", line, width))
    .map((row) => theme.style("dim", row));
}
