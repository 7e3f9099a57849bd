/**
 * Commands that the person runs beside the conversation.
 *
 * @module
 */

import { terminalOf } from "../../../model/terminals.ts";
import type { CommandEntry } from "../../../model/session.ts";
import { nameLine } from "../../endless.ts";
import { DONE, exitWords } from "../../exit_words.ts";
import { duration, fit } from "../layout.ts";
import type { Folded, RenderContext } from "./context.ts";
import { renderTerminal, type TerminalLimits } from "./terminal.ts";

/** Who runs a command wants to read what it says. */
const LIMITS: TerminalLimits = { live: 12, final: 40 };

/** A command: the line with how it ended, and its output so far or in the end. */
export function renderCommand(
  entry: CommandEntry,
  context: RenderContext,
  live: boolean,
): Folded {
  const { theme, width, state, now } = context;
  const terminal = terminalOf(state, entry.terminalId);
  const taken = (entry.endedAt ?? now) - entry.startedAt;
  const time = taken < 1_000 ? "" : ` ${duration(taken)}`;
  const end = entry.endedAt === undefined ? undefined : exitWords(terminal?.exit);
  const word = end === undefined || end === DONE
    ? `${end ?? "running"}${time}`
    : `${end}${time === "" ? "" : ` ·${time}`}`;
  const role = live ? "accent" : end === DONE ? "dim" : "error";
  const what = fit(nameLine(entry.command), Math.max(8, width - word.length - 6));
  const head = `${theme.style("user", "!")} ${theme.style("bold", what)} ${
    theme.style(role, `· ${word}`)
  }`;
  if (terminal === undefined) return { lines: [fit(head, width)], hidden: 0 };
  const { exit: _told, ...output } = terminal;
  const { lines, hidden } = renderTerminal(output, context, live, LIMITS);
  return { lines: [fit(head, width), ...lines], hidden };
}
