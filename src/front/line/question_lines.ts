/**
 * A question as lines to be read from first to last.
 *
 * @module
 */

import type { Question } from "../../app/view.ts";
import { sanitizeLine } from "../../base/sanitize.ts";
import { askedCall } from "../asked_call.ts";
import { nameLine, readable } from "../endless.ts";
import type { ViewContext } from "../tui/entries/context.ts";
import { questionBody } from "../tui/question_body.ts";
import { themeNamed } from "../tui/theme.ts";

/** Lines of what is asked that are written unless all of it is wanted. */
const MAX_LINES = 200;

/** Nothing is wrapped: the terminal does that, and a log has lines of any length. */
const VIEW: ViewContext = {
  theme: themeNamed("plain"),
  width: 1_000_000,
  now: 0,
  thoughts: "full",
  expandKey: "",
  dropKey: "",
};

/** What is asked, and whether lines of it were left out. */
export interface QuestionLines {
  readonly lines: readonly string[];
  readonly cut: boolean;
}

/** A question with its options numbered from 1; of a long one the beginning, or with `whole` all. */
export function questionLines(question: Question, whole: boolean): QuestionLines {
  const { lines: body, hidden } = bodyLines(question, whole ? Infinity : MAX_LINES);
  const shown = whole ? body : body.slice(0, MAX_LINES);
  const more = hidden + body.length - shown.length;
  return {
    lines: [
      `Question: ${sanitizeLine(readable(question.title), "reveal")}`,
      ...shown.map((line) => `  ${line}`),
      ...(more > 0 ? [`  … ${more} more lines: v writes all of them`] : []),
      ...optionLines(question),
    ],
    cut: more > 0,
  };
}

function bodyLines(question: Question, most: number) {
  if (askedCall(question) !== undefined) return questionBody(question, VIEW, most);
  const { origin, body } = question;
  const lines = [...(origin === undefined ? [] : [origin]), ...body].map((line) =>
    sanitizeLine(readable(line), "reveal")
  );
  return { lines, hidden: 0 };
}

function optionLines({ options }: Question): readonly string[] {
  return options.map(({ label, hint }, index) => {
    const remark = hint === undefined ? "" : ` (${nameLine(hint, "reveal")})`;
    return `  ${index + 1}) ${nameLine(label, "reveal")}${remark}`;
  });
}
