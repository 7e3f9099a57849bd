/**
 * Tool calls.
 *
 * @module
 */

import type { ContentPart, ToolContent, ToolEntry } from "../../../model/session.ts";
import { terminalOf } from "../../../model/terminals.ts";
import { isRefused, runTime } from "../../../model/tool_call.ts";
import { verbBefore } from "../../../model/tool_words.ts";
import { shownContent } from "../../../model/written_files.ts";
import { nameLine } from "../../endless.ts";
import { unexplained } from "../../entry_lines.ts";
import { duration, fit, indentLines, wrapBehind } from "../layout.ts";
import type { Role } from "../theme.ts";
import { bounded } from "./bounded.ts";
import { renderPart } from "./content.ts";
import {
  fold,
  type Folded,
  type Keep,
  type RenderContext,
  shortPath,
  textLines,
} from "./context.ts";
import { imageRow } from "./image.ts";
import { diffSummary, renderDiff } from "./diff.ts";
import { renderTerminal } from "./terminal.ts";
import { commandOf, inputLines, rawOutputText } from "./tool_raw.ts";

/** Lines of content that are shown of a call that has ended. */
const LINES = 10;
/** What an agent has read is of less interest than what it has done. */
const READ_LINES = 3;
const FAILED_LINES = 20;
/** Places of a call that are looked at: one line names them. */
const MAX_PLACES = 20;
const LIVE_LOG_LINES = 3;
const LOG_LINES = 8;

interface Look {
  readonly glyph: string;
  readonly word: string;
  readonly role: Role;
}

const LOOKS: Readonly<Record<ToolEntry["status"], Look>> = {
  pending: { glyph: "○", word: "pending", role: "dim" },
  in_progress: { glyph: "●", word: "running", role: "accent" },
  completed: { glyph: "✓", word: "done", role: "ok" },
  failed: { glyph: "✗", word: "failed", role: "error" },
  cancelled: { glyph: "⊘", word: "cancelled", role: "warning" },
};
const REFUSED: Look = { glyph: "⊘", word: "refused", role: "warning" };
const WAITING: Look = { glyph: "?", word: "waiting for your answer", role: "warning" };

/** A call that has ended. */
export function renderTool(entry: ToolEntry, context: RenderContext): Folded {
  const body = bodyLines(entry, context);
  const lines = [
    head(entry, context),
    ...place(entry, context),
    ...(context.whole ? section("input", inputLines(entry.rawInput), context) : []),
    ...permission(entry, context),
    ...body.lines,
    ...logLines(entry, context, context.whole ? Infinity : LOG_LINES),
  ];
  return { lines, hidden: body.hidden };
}

/** A call that goes on: what it is, where it stands, and the last it has said. */
export function renderToolLive(entry: ToolEntry, context: RenderContext): string[] {
  const content = shownContent(entry, context.state.cwd);
  const output = content.flatMap((content) =>
    content.type === "terminal" ? terminalLines(content.terminalId, context, true).lines : []
  );
  const meta = entry.metaOutput === undefined
    ? []
    : renderTerminal({ output: entry.metaOutput }, context, true).lines;
  const changes = content.filter((content) => content.type === "diff")
    .map((content) => fit(`  ${diffSummary(content, context)}`, context.width));
  return [
    head(entry, context),
    ...place(entry, context),
    ...permission(entry, context),
    ...changes,
    ...output,
    ...meta,
    ...logLines(entry, context, LIVE_LOG_LINES),
  ];
}

/** The one line on a call: glyph, kind, title, state, time. */
function head(entry: ToolEntry, context: RenderContext): string {
  const { theme, width } = context;
  const waits = entry.permission !== undefined && entry.permission.answer === undefined &&
    entry.endedAt === undefined;
  const refused = entry.status === "cancelled" && isRefused(entry);
  const look = waits ? WAITING : refused ? REFUSED : LOOKS[entry.status];
  const title = nameLine(entry.title);
  const named = verbBefore(entry.toolKind, title);
  const state = theme.style(
    look.role === "ok" ? "dim" : look.role,
    `· ${look.word}${time(entry, context)}`,
  );
  const glyph = theme.style(look.role, look.glyph);
  // The state is the last thing to give way to a long title.
  const room = Math.max(8, width - look.word.length - 16);
  const what = fit(`${theme.style("dim", named)}${theme.style("bold", title)}`, room);
  return fit(`${glyph} ${what} ${state}`, width);
}

function time(entry: ToolEntry, { now }: RenderContext): string {
  if (entry.history) return "";
  if (entry.endedAt !== undefined) {
    const taken = runTime(entry, entry.endedAt);
    return taken < 50 ? "" : ` ${duration(taken)}`;
  }
  const taken = runTime(entry, now);
  return taken < 1000 ? "" : ` ${duration(taken)}`;
}

/** The command and the files of a call, as far as its title does not name them. */
function place(entry: ToolEntry, context: RenderContext): string[] {
  const { theme, width, state } = context;
  const title = nameLine(entry.title);
  const command = commandOf(entry.rawInput);
  const lines: string[] = [];
  if (command !== undefined && !title.includes(nameLine(command))) {
    lines.push(
      ...wrapBehind(
        theme.style("dim", "  $ "),
        textLines(bounded(command, context.whole)).join("\n"),
        width,
      ),
    );
  }
  const paths = entry.locations.slice(0, MAX_PLACES).map(({ path, line }) =>
    `${shortPath(path, state.cwd)}${line === undefined ? "" : `:${line}`}`
  ).filter((path) =>
    !title.includes(path.replace(/:\d+$/, "")) || /:\d+$/.test(path) && !title.includes(path)
  );
  const others = paths.filter((path) =>
    !shownContent(entry, state.cwd).some((content) =>
      content.type === "diff" && shortPath(content.path, state.cwd) === path.replace(/:\d+$/, "")
    )
  );
  if (others.length > 0) lines.push(fit(theme.style("dim", `  ${others.join(", ")}`), width));
  return lines;
}

/** What became of a permission question. */
function permission(entry: ToolEntry, context: RenderContext): string[] {
  const { theme, width } = context;
  const { permission: asked } = entry;
  if (asked?.answer === undefined) return [];
  const { optionId, by, reason } = asked.answer;
  const option = asked.options.find((candidate) => candidate.optionId === optionId);
  const who = by === "user"
    ? "you"
    : by === "rule"
    ? "a rule"
    : by === "nobody"
    ? "nobody to ask"
    : "cancel";
  const what = optionId === null
    ? "not answered"
    : `answered “${nameLine(option?.name ?? optionId)}”`;
  const why = reason === undefined ? "" : `: ${nameLine(reason)}`;
  return [fit(theme.style("dim", `  ${what} (${who})${why}`), width)];
}

function bodyLines(entry: ToolEntry, context: RenderContext): Folded {
  const failed = entry.status === "failed";
  const quiet = entry.toolKind === "read" || entry.toolKind === "search" ||
    entry.toolKind === "fetch";
  const limit = failed ? FAILED_LINES : quiet ? READ_LINES : LINES;
  const keep: Keep = failed || entry.toolKind === "execute" ? "end" : "start";
  // Some agents name a terminal of their own and send its output along with the call.
  const all = shownContent(entry, context.state.cwd);
  const content = entry.metaOutput === undefined
    ? all
    : all.filter((one) => one.type !== "terminal");
  const parts = content.map((one) => contentLines(one, limit, keep, context));
  if (entry.metaOutput !== undefined) {
    const view = { output: entry.metaOutput, ...(entry.metaExit && { exit: entry.metaExit }) };
    parts.push(renderTerminal(view, context, false));
  }
  // A change does not say why it could not be made.
  const shown = parts.some(({ lines }, index) =>
    lines.length > 0 && !(failed && content[index]?.type === "diff")
  );
  const raw = rawOutputText(entry.rawOutput, context.whole);
  if (raw !== undefined && (!shown || context.whole)) {
    parts.push(
      folded(section("output", raw.split("\n"), context, !context.whole), limit, keep, context),
    );
  }
  const lines = parts.flatMap((part) => part.lines);
  const why = shown || raw !== undefined || entry.log.length > 0 ? [] : unexplained(entry);
  return {
    lines: [...lines, ...why.map((line) => context.theme.style("dim", `  ${line}`))],
    hidden: parts.reduce((sum, part) => sum + part.hidden, 0),
  };
}

function contentLines(
  content: ToolContent,
  limit: number,
  keep: Keep,
  context: RenderContext,
): Folded {
  switch (content.type) {
    case "content": {
      const image = imageRow(content.content, context);
      if (image !== undefined) return { lines: [image], hidden: 0 };
      return folded(
        indentLines(unfenced(textOrBlock(content.content, keep, context)), context.width),
        limit,
        keep,
        context,
      );
    }
    case "diff": {
      const inner = renderDiff(content, { ...context, width: context.width - 2 });
      return {
        lines: inner.lines.map((line) => fit(`  ${line}`, context.width)),
        hidden: inner.hidden,
      };
    }
    case "terminal":
      return terminalLines(content.terminalId, context, false);
    case "unknown": {
      const name = nameLine(content.name);
      return {
        lines: [
          context.theme.style("dim", fit(`  [content of an unknown kind: ${name}]`, context.width)),
        ],
        hidden: 0,
      };
    }
  }
}

function textOrBlock(part: ContentPart, keep: Keep, context: RenderContext): string[] {
  return part.type === "text"
    ? textLines(bounded(part.text, context.whole, keep))
    : renderPart(part, context);
}

function terminalLines(id: string, context: RenderContext, live: boolean): Folded {
  const terminal = terminalOf(context.state, id);
  if (terminal !== undefined) return renderTerminal(terminal, context, live);
  return live ? { lines: [], hidden: 0 } : {
    lines: [
      context.theme.style(
        "dim",
        fit("  [output of a terminal that is not known]", context.width),
      ),
    ],
    hidden: 0,
  };
}

/** Output that an agent has put between fences is output all the same. */
function unfenced(lines: string[]): string[] {
  const fenced = lines.length > 2 && /^```\w*$/.test(lines[0] ?? "") && lines.at(-1) === "```";
  return fenced ? lines.slice(1, -1) : lines;
}

function folded(lines: string[], limit: number, keep: Keep, context: RenderContext): Folded {
  return fold(lines, limit, keep, context);
}

/** Lines under a heading of their own; without lines nothing. */
function section(
  name: string,
  lines: readonly string[],
  { theme, width }: RenderContext,
  bare = false,
): string[] {
  const text = textLines(lines.join("\n"));
  if (text.length === 0) return [];
  const rows = indentLines(text, width);
  return bare ? rows : [theme.style("dim", `  ${name}:`), ...rows];
}

function logLines(entry: ToolEntry, context: RenderContext, limit: number): string[] {
  const { theme, width } = context;
  const hidden = entry.log.length - limit;
  const note = hidden > 0 ? [theme.style("dim", `  │ … ${hidden} earlier`)] : [];
  const rows = entry.log.slice(hidden > 0 ? hidden : 0).flatMap((line) =>
    wrapBehind("  │ ", textLines(bounded(line.text, context.whole)).join("\n"), width, "  │ ")
  );
  return [...note, ...rows.map((row) => theme.style("dim", row))];
}
