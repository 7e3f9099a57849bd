/**
 * A line of input as the answer to a question.
 *
 * @module
 */

import type { Question, QuestionAnswer } from "../../app/view.ts";

/**
 * Reads an answer: the number or the whole label of an option, text where text is asked, nothing
 * for what {@link Question.empty} or {@link Question.preset} says, else for "would not say".
 * `undefined` when it is none of these.
 */
export function parseAnswer(question: Question, line: string): QuestionAnswer | undefined {
  const text = line.trim();
  if (text === "") {
    if (question.preset !== undefined) return { type: "option", id: question.preset };
    return question.empty === undefined ? { type: "dismissed" } : { type: "text", text: "" };
  }
  if (question.kind === "text" || question.kind === "secret") return { type: "text", text: line };
  const option = /^\d+$/.test(text)
    ? question.options[Number(text) - 1]
    : onlyOne(question, text.toLowerCase());
  return option === undefined ? undefined : { type: "option", id: option.id };
}

/** The option of a label, if only one has it. */
function onlyOne(question: Question, label: string) {
  const found = question.options.filter((option) => option.label.toLowerCase() === label);
  return found.length === 1 ? found[0] : undefined;
}

/** What to type, in one line; `hidden` when the terminal does not show what is typed. */
export function answerHelp(question: Question, hidden = false): string {
  const refusing = question.kind === "permission" ? "refuses" : "leaves it unanswered";
  const dismissing = question.dismissing ?? refusing;
  if (question.kind === "secret") {
    const shown = hidden ? "will not be shown" : "will be visible here";
    return `Type the answer, which ${shown}; an empty line ${dismissing}.`;
  }
  if (question.kind === "text") {
    return `Type the answer; an empty line ${question.empty ?? dismissing}.`;
  }
  const count = question.options.length;
  if (count === 0) return `There is nothing to choose from; an empty line ${dismissing}.`;
  const preset = question.options.findIndex(({ id }) => id === question.preset);
  const empty = preset < 0 ? dismissing : `takes ${preset + 1}`;
  return `Type a number from 1 to ${count}; an empty line ${empty}.`;
}
