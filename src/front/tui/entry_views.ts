/**
 * Entries as lines: those that are final, and those that still change.
 *
 * @module
 */

import { messageOf } from "../../base/errors.ts";
import type { Entry, MessageEntry } from "../../model/session.ts";
import { nameLine } from "../endless.ts";
import { AgentView } from "./agent_view.ts";
import { renderCommand } from "./entries/command.ts";
import type { Folded, RenderContext } from "./entries/context.ts";
import { renderCompaction, renderNotice, renderUnknown } from "./entries/notice.ts";
import { renderPlan, renderPlanLive } from "./entries/plan.ts";
import { renderThought, renderThoughtLive } from "./entries/thought.ts";
import { renderTool, renderToolLive } from "./entries/tool.ts";
import { renderUser } from "./entries/user.ts";
import { fit } from "./layout.ts";

/** An entry that is final. One that cannot be shown says so. */
export function finalLines(entry: Entry, context: RenderContext): Folded {
  return safely(entry, context, () => wholeEntry(entry, context));
}

/** An entry that still changes. One that cannot be shown says so. */
export function liveLines(
  entry: Entry,
  context: RenderContext,
  view?: AgentView,
): readonly string[] {
  return safely(entry, context, () => ({ lines: changingLines(entry, context, view), hidden: 0 }))
    .lines;
}

/** What a view of a message gives out now. One that cannot be shown says so. */
export function messageLines(
  entry: MessageEntry,
  context: RenderContext,
  view: AgentView,
  rows: number,
): Folded {
  return safely(entry, context, () => {
    view.update(entry, context);
    return { lines: view.take(context, rows), hidden: 0 };
  });
}

/** What an entry is called where it is shown once more. Sanitised. */
export function nameOf(entry: Entry): string {
  if (entry.kind === "command") return nameLine(`!${entry.command}`);
  return entry.kind === "tool" ? nameLine(entry.title) : entry.kind;
}

function wholeEntry(entry: Entry, context: RenderContext): Folded {
  switch (entry.kind) {
    case "tool":
      return renderTool(entry, context);
    case "user":
      return renderUser(entry, context);
    case "agent":
      return { lines: wholeMessage(entry, context), hidden: 0 };
    case "thought":
      return renderThought(entry, context);
    case "plan":
      return { lines: renderPlan(entry, context), hidden: 0 };
    case "notice":
      return renderNotice(entry, context);
    case "command":
      return renderCommand(entry, context, false);
    case "compaction":
      return renderCompaction(entry, context);
    case "unknown":
      return { lines: renderUnknown(entry, context), hidden: 0 };
  }
}

function wholeMessage(entry: MessageEntry, context: RenderContext): readonly string[] {
  const view = new AgentView(context.theme);
  view.update(entry, context);
  return view.take(context, Infinity);
}

function changingLines(
  entry: Entry,
  context: RenderContext,
  view: AgentView | undefined,
): readonly string[] {
  if (view !== undefined) return view.live(context);
  switch (entry.kind) {
    case "tool":
      return renderToolLive(entry, context);
    case "command":
      return renderCommand(entry, context, true).lines;
    case "thought":
      return renderThoughtLive(entry, context);
    case "plan":
      return renderPlanLive(entry, context);
    default:
      return wholeEntry(entry, context).lines;
  }
}

/** One entry that cannot be shown must not take the others with it. */
function safely(
  entry: Entry,
  { theme, width }: RenderContext,
  render: () => Folded,
): Folded {
  try {
    return render();
  } catch (error) {
    const text = `✗ this ${entry.kind} entry cannot be shown: ${nameLine(messageOf(error))}`;
    return { lines: [theme.style("error", fit(text, width))], hidden: 0 };
  }
}
