/**
 * What is left in the transcript of a question that the agent has asked.
 *
 * @module
 */

import type { Form } from "../model/form.ts";
import { describeValue } from "../model/form_answer.ts";
import type { ElicitationResult } from "./form_questions.ts";

/** A line, and perhaps more below it. */
export interface ElicitationTrace {
  readonly text: string;
  readonly detail?: string;
}

const ACTIONS = { accept: "answered", decline: "declined", cancel: "left unanswered" } as const;

/** How a form was answered, with the answers. `message` is the agent's. */
export function formTrace(
  message: string,
  { fields }: Form,
  result: ElicitationResult,
): ElicitationTrace {
  const text = `The agent asked: ${firstLine(message) || "(nothing)"} — ${ACTIONS[result.action]}`;
  const content = result.action === "accept" ? result.content ?? {} : {};
  const given = fields.flatMap((field) => {
    const value = content[field.name];
    return value === undefined ? [] : [`${field.title}: ${describeValue(field, value)}`];
  });
  return given.length === 0 ? { text } : { text, detail: given.join("\n") };
}

/** What became of a page that the agent wanted visited. */
export function pageTrace(host: string, { action }: ElicitationResult): ElicitationTrace {
  const words = { accept: "agreed", decline: "declined", cancel: "left unanswered" }[action];
  return { text: `The agent asked for a visit to ${host} — ${words}` };
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}
