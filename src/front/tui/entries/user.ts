/**
 * What the person said.
 *
 * @module
 */

import type { MessageEntry } from "../../../model/session.ts";
import { wrapBehind } from "../layout.ts";
import { describePart } from "./content.ts";
import { type RenderContext as Context, textLines } from "./context.ts";

/** Lines of a prompt that are shown; of a longer one the middle is counted. */
const LIMIT = 40;

/** A prompt, behind a mark. */
export function renderUser(entry: MessageEntry, context: Context): string[] {
  const text: string[] = [];
  const others: string[] = [];
  for (const part of entry.parts) {
    if (part.type === "text") text.push(...textLines(part.text));
    else others.push(describePart(part, context));
  }
  if (text.length + others.length === 0) return [];
  const { theme, width } = context;
  const shown = shorten([...text, ...others], context);
  return shown.flatMap((line, index) =>
    wrapBehind(theme.style("user", index === 0 ? "› " : "  "), theme.style("bold", line), width)
  );
}

function shorten(lines: readonly string[], context: Context): readonly string[] {
  const hidden = lines.length - LIMIT;
  if (context.whole || hidden <= 1) return lines;
  const half = LIMIT / 2;
  return [...lines.slice(0, half), `… ${hidden} more lines`, ...lines.slice(-half)];
}
