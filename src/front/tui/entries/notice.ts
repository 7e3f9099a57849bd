/**
 * Notices, errors, compactions, and updates of kinds that we do not know.
 *
 * @module
 */

import { sanitizeText } from "../../../base/sanitize.ts";
import type { CompactionEntry, NoticeEntry, UnknownEntry } from "../../../model/session.ts";
import { nameLine } from "../../endless.ts";
import { fit, indentLines, wrapBehind } from "../layout.ts";
import type { Role } from "../theme.ts";
import { bounded } from "./bounded.ts";
import { fold, type Folded, type RenderContext, textLines } from "./context.ts";

/** Lines of a notice's detail that are shown. */
const DETAIL_LINES = 16;
const SUMMARY_LINES = 4;

const LOOKS: Readonly<Record<NoticeEntry["severity"], { mark: string; word: string; role: Role }>> =
  {
    info: { mark: "·", word: "", role: "dim" },
    warning: { mark: "!", word: "warning: ", role: "warning" },
    error: { mark: "✗", word: "error: ", role: "error" },
  };

/** A notice: one line, or a block when it has more to say. */
export function renderNotice(entry: NoticeEntry, context: RenderContext): Folded {
  const { theme, width, whole } = context;
  const look = LOOKS[entry.severity];
  const text = textLines(bounded(entry.text, whole)).join("\n");
  const head = wrapBehind(`${look.mark} `, `${look.word}${text}`, width)
    .map((line) => theme.style(look.role, line));
  if (entry.detail === undefined) return { lines: head, hidden: 0 };
  const detail = indentLines(textLines(bounded(entry.detail, whole, "end")), width);
  const folded = fold(detail, DETAIL_LINES, "end", context);
  return { lines: [...head, ...folded.lines], hidden: folded.hidden };
}

/** A compaction of the agent's context. */
export function renderCompaction(entry: CompactionEntry, context: RenderContext): Folded {
  const { theme, width, whole } = context;
  const why = entry.error === undefined ? "" : `: ${nameLine(entry.error)}`;
  const head = fit(
    theme.style(
      "dim",
      `· context compaction: ${nameLine(entry.status).replaceAll("_", " ")}${why}`,
    ),
    width,
  );
  const summary = indentLines(textLines(bounded(entry.summary, whole)), width)
    .map((line) => theme.style("dim", line));
  const folded = fold(summary, SUMMARY_LINES, "start", context);
  return { lines: [head, ...folded.lines], hidden: folded.hidden };
}

/** An update of a kind that we do not know: one quiet line. */
export function renderUnknown(entry: UnknownEntry, context: RenderContext): string[] {
  const { theme, width, whole } = context;
  const line = theme.style("dim", `· unknown update of the agent: ${nameLine(entry.name)}`);
  if (!whole) return [fit(line, width)];
  return [
    fit(line, width),
    ...indentLines(sanitizeText(bounded(json(entry.raw), whole)).split("\n"), width),
  ];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
