/**
 * The agent's plan, as a checklist.
 *
 * @module
 */

import { sanitizeLine } from "../../../base/sanitize.ts";
import type { PlanEntry, PlanStep } from "../../../model/session.ts";
import { nameLine } from "../../endless.ts";
import { wrapBehind } from "../layout.ts";
import { bounded } from "./bounded.ts";
import type { RenderContext } from "./context.ts";

/** Steps of a running plan that are shown, around the one that is being done. */
const LIVE_STEPS = 8;

const MARKS: ReadonlyMap<string, string> = new Map([
  ["pending", "[ ]"],
  ["in_progress", "[>]"],
  ["completed", "[x]"],
]);

/** The whole plan. */
export function renderPlan(entry: PlanEntry, context: RenderContext): string[] {
  return [
    heading(entry, context),
    ...steps(entry.steps, context, (text) => sanitizeLine(bounded(text, context.whole))),
  ];
}

/** The part of a long plan that matters now. */
export function renderPlanLive(entry: PlanEntry, context: RenderContext): string[] {
  const all = entry.steps;
  const current = all.findIndex((step) => step.status !== "completed");
  const start = Math.max(0, Math.min(all.length - LIVE_STEPS, current - 2));
  const shown = all.slice(start, start + LIVE_STEPS);
  const note = (count: number) =>
    count > 0 ? [context.theme.style("dim", `  … ${count} more`)] : [];
  return [
    heading(entry, context),
    ...note(start),
    ...steps(shown, context, (text) => nameLine(text)),
    ...note(all.length - start - shown.length),
  ];
}

function heading(entry: PlanEntry, { theme }: RenderContext): string {
  const done = entry.steps.filter((step) => step.status === "completed").length;
  return `${theme.style("bold", "Plan")} ${
    theme.style("dim", `${done} of ${entry.steps.length} done`)
  }`;
}

function steps(
  all: readonly PlanStep[],
  { theme, width }: RenderContext,
  textOf: (text: string) => string,
): string[] {
  return all.flatMap((step) => {
    const mark = MARKS.get(step.status) ?? `[${nameLine(step.status)}]`;
    const priority = step.priority === "high" ? theme.style("warning", " (high)") : "";
    const text = textOf(step.content);
    const styled = step.status === "completed"
      ? theme.style("dim", text)
      : step.status === "in_progress"
      ? theme.style("bold", text)
      : text;
    return wrapBehind(`  ${mark} `, `${styled}${priority}`, width);
  });
}
