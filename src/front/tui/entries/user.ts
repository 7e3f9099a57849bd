/**
 * What the person said.
 *
 * @module
 */

import { append } from "../../../base/append.ts";
import type { MessageEntry } from "../../../model/session.ts";
import { wrapBehind } from "../layout.ts";
import { describePart } from "./content.ts";
import { type Folded, type RenderContext, textLines } from "./context.ts";

/** Lines of a prompt that are shown; of a longer one the middle is counted. */
const LIMIT = 40;

/** A prompt, behind a mark. */
export function renderUser(entry: MessageEntry, context: RenderContext): Folded {
  const text: string[] = [];
  const others: string[] = [];
  for (const part of entry.parts) {
    if (part.type === "text") append(text, textLines(part.text));
    else others.push(describePart(part, context));
  }
  if (text.length + others.length === 0) return { lines: [], hidden: 0 };
  const { theme, width } = context;
  const { lines, hidden } = shorten([...text, ...others], context);
  return {
    lines: lines.flatMap((line, index) =>
      wrapBehind(theme.style("user", index === 0 ? "› " : "  "), theme.style("bold", line), width)
    ),
    hidden,
  };
}

function shorten(lines: readonly string[], context: RenderContext): Folded {
  const hidden = lines.length - LIMIT;
  if (context.whole || hidden <= 1) return { lines, hidden: 0 };
  const half = LIMIT / 2;
  const note = `… ${hidden} more lines (${context.expandKey} shows them)`;
  return { lines: [...lines.slice(0, half), note, ...lines.slice(-half)], hidden };
}
