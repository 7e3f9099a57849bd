/**
 * The lower part of the screen: the question, what waits, the status and the editor.
 *
 * @module
 */

import type { AppState } from "../../app/view.ts";
import { nameLine } from "../endless.ts";
import type { ViewContext } from "./entries/context.ts";
import type { HistorySearch } from "./history_search.ts";
import { fit, widthOf } from "./layout.ts";
import type { Position } from "./position.ts";
import type { Drawn, PromptEditor } from "./prompt_editor.ts";
import type { QuestionPanel } from "./question_panel.ts";
import { renderStatus } from "./status_line.ts";

/** What the lower part is made of. */
export interface BottomParts {
  readonly app: AppState;
  readonly editor: PromptEditor;
  /** The search that takes the editor's place. */
  readonly search: HistorySearch | undefined;
  readonly panel: QuestionPanel | undefined;
  /** A word to the person, in the status. */
  readonly hint: string | undefined;
  /** What cancels a turn. */
  readonly cancelKey: string;
  readonly home: string | undefined;
}

/** Queued prompts, and attachments, that are listed above the editor. */
const LISTED_ROWS = 3;
/** Below this height there is no room for blank lines. */
const ROOMY_ROWS = 8;

/** Draws it in at most `rows` rows. */
export function drawBottom(parts: BottomParts, view: ViewContext, rows: number): Drawn {
  const { app, panel } = parts;
  const { width, theme } = view;
  const editor = parts.search?.draw(width, theme) ?? parts.editor.draw(width);
  // The row with the cursor is shown, whatever has no room.
  const entryRows = Math.max(1, rows - 1);
  const hidden = Math.max(0, (editor.cursor?.row ?? 0) - entryRows + 1);
  const entry = editor.lines.slice(hidden, hidden + entryRows);
  const waiting = waitingLines(app, view).slice(0, Math.max(0, rows - entry.length - 2));
  const gap = rows >= ROOMY_ROWS ? [""] : [];
  const room = rows - entry.length - waiting.length - 1 - 2 * gap.length;
  const asked = panel?.draw(view, Math.max(2, room), remarks(app));
  // The status stands above the text: what is below the cursor may move it when the window becomes
  // narrower, and nobody could tell how far.
  const above = [
    ...gap,
    ...(asked === undefined ? [] : [...asked.lines, ...gap]),
    ...waiting,
    status(parts, view),
  ];
  const cursor = asked?.cursor === undefined
    ? shifted(editor.cursor, above.length - hidden)
    : shifted(asked.cursor, gap.length);
  const lines = [...above, ...entry];
  return cursor === undefined ? { lines } : { lines, cursor };
}

/** A position as many rows further down; `undefined` when that is above the screen. */
export function shifted(position: Position | undefined, rows: number): Position | undefined {
  if (position === undefined || position.row + rows < 0) return undefined;
  return { row: position.row + rows, column: position.column };
}

function status(parts: BottomParts, { now, width, theme }: ViewContext): string {
  const { app, panel, hint, cancelKey, home } = parts;
  const input = {
    app,
    now,
    cancelKey,
    ...(panel === undefined ? {} : { waitedMs: panel.waitedMs }),
    ...(hint === undefined ? {} : { hint }),
    ...(home === undefined ? {} : { home }),
  };
  return renderStatus(input, Math.max(1, width - 1), theme);
}

/** How many questions wait; the title says whose it is. */
function remarks({ questions }: AppState): string[] {
  return questions.length > 1 ? [`question 1 of ${questions.length}`] : [];
}

/** Prompts in the queue, then what goes with the prompt that is being written. */
function waitingLines({ queue, attached = [] }: AppState, view: ViewContext): readonly string[] {
  return [
    ...listed("queued", queue, view),
    ...listed("attached", attached, view, ` (${view.dropKey} leaves it out)`),
  ];
}

function listed(
  word: string,
  texts: readonly string[],
  { theme, width }: ViewContext,
  advice = "",
): readonly string[] {
  const shown = texts.slice(-LISTED_ROWS);
  const hidden = texts.length - shown.length;
  const lines = shown.map((text) => nameLine(text));
  if (hidden > 0) lines.unshift(`${hidden} before these`);
  const rows = lines.map((line) => `  ${word}: ${line}`);
  return rows.map((row, index) => {
    // How it stands and how to get rid of it are worth more than the middle of it.
    const own = index === rows.length - 1 ? advice : "";
    const end = (/ \([^()]*\)$/.exec(row)?.[0] ?? "") + own;
    const line = widthOf(end) * 2 < width
      ? fit(row.slice(0, row.length + own.length - end.length), width - widthOf(end)) + end
      : fit(row + own, width);
    return theme.style("dim", line);
  });
}
