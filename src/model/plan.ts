/**
 * The agent's plan.
 *
 * @module
 */

import { asString, isObject, type JsonObject } from "../base/guards.ts";
import { appendEntry, putEntry, withOpen } from "./entries.ts";
import type { PlanStep, SessionState } from "./session.ts";

/** Takes a `plan` update: its steps replace those of the turn's plan. No list changes nothing. */
export function setPlan(state: SessionState, update: JsonObject, at: number): SessionState {
  if (!Array.isArray(update.entries)) return state;
  const steps = update.entries.flatMap(parseStep);
  const { plan } = state.open;
  const entry = plan === undefined ? undefined : state.entries.at(plan);
  if (entry?.kind === "plan") return putEntry(state, { ...entry, steps });
  if (steps.length === 0) return state;
  return appendEntry(state, { kind: "plan", steps }, at, "plan");
}

/** Makes the turn's plan final; the next one is a new entry. */
export function endPlan(state: SessionState, at: number): SessionState {
  const { plan } = state.open;
  const entry = plan === undefined ? undefined : state.entries.at(plan);
  if (entry === undefined) return state;
  return withOpen(putEntry(state, { ...entry, endedAt: at }), { ...state.open, plan: undefined });
}

function parseStep(step: unknown): readonly PlanStep[] {
  const content = isObject(step) ? asString(step.content) : asString(step);
  if (content === undefined) return [];
  const fields = isObject(step) ? step : {};
  return [{
    content,
    priority: asString(fields.priority) ?? "medium",
    status: asString(fields.status) ?? "pending",
  }];
}
