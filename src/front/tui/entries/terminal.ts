/**
 * Output of a command that the agent runs in a terminal of ours.
 *
 * @module
 */

import { sanitizeAnsi, sanitizeText } from "../../../base/sanitize.ts";
import { nameLine } from "../../endless.ts";
import { indentLines } from "../layout.ts";
import { bounded, endOf } from "./bounded.ts";
import { fold, type Folded, type RenderContext } from "./context.ts";

/** Lines of output that are shown: while it runs, and afterwards. */
export interface TerminalLimits {
  readonly live: number;
  readonly final: number;
}

const LIMITS: TerminalLimits = { live: 6, final: 12 };

/** Characters of output that are laid out again and again while a command runs. */
const LIVE_CHARACTERS = 8_192;

/** What is known of a terminal. */
export interface TerminalView {
  readonly command?: string;
  readonly output: string;
  readonly truncated?: boolean;
  readonly exit?: { readonly exitCode: number | null; readonly signal: string | null };
}

/** The end of the output, and how the command ended when that is worth a word. */
export function renderTerminal(
  view: TerminalView,
  context: RenderContext,
  live: boolean,
  limits = LIMITS,
): Folded {
  const { theme, width, whole } = context;
  const output = live ? endOf(view.output, LIVE_CHARACTERS) : bounded(view.output, whole, "end");
  const rows = indentLines(outputLines(output, context), width);
  const note = view.truncated === true ? [theme.style("dim", "  … earlier output is gone")] : [];
  if (live) return { lines: rows.slice(-limits.live), hidden: 0 };
  const folded = fold(rows, limits.final, "end", context);
  return { lines: [...note, ...folded.lines, ...ending(view, context)], hidden: folded.hidden };
}

/** Lines of a command's output, colours kept where there are any. */
function outputLines(output: string, { theme }: RenderContext): string[] {
  const text = theme.name === "plain" ? sanitizeText(output) : sanitizeAnsi(output);
  const lines = text.split("\n");
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

function ending({ exit }: TerminalView, { theme }: RenderContext): string[] {
  if (exit === undefined || exit.exitCode === 0) return [];
  const how = exit.signal !== null
    ? `ended by ${nameLine(exit.signal)}`
    : `exit status ${exit.exitCode ?? "unknown"}`;
  return [theme.style("error", `  ${how}`)];
}
