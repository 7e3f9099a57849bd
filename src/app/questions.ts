/**
 * The questions that wait for a person, asked one at a time, oldest first.
 *
 * @module
 */

import type { Question, QuestionAnswer } from "./view.ts";

/** A question before it stands in the line. */
export type NewQuestion = Omit<Question, "id">;

/** A question in the line: its id, and the answer when there is one. */
export interface OpenQuestion {
  readonly id: string;
  /** Settles exactly once; a question that is withdrawn counts as dismissed. */
  readonly answer: Promise<QuestionAnswer>;
}

interface Waiting {
  readonly question: Question;
  readonly settle: (answer: QuestionAnswer) => void;
}

/** The line of open questions. */
export class QuestionQueue {
  #waiting: readonly Waiting[] = [];
  #count = 0;
  #closed = false;
  readonly #changed: () => void;

  /** `changed` is called after every change of {@link QuestionQueue.questions}. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Open questions, oldest first. */
  get questions(): readonly Question[] {
    return this.#waiting.map((waiting) => waiting.question);
  }

  /** Puts a question at the end of the line; on a closed queue it is dismissed at once. */
  open(question: NewQuestion): OpenQuestion {
    const id = `q${++this.#count}`;
    if (this.#closed) return { id, answer: Promise.resolve({ type: "dismissed" }) };
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    this.#set([...this.#waiting, { question: { ...question, id }, settle: resolve }]);
    return { id, answer: promise };
  }

  /** Asks and waits for the answer; aborting the signal dismisses the question. */
  async ask(question: NewQuestion, signal?: AbortSignal): Promise<QuestionAnswer> {
    if (signal?.aborted) return { type: "dismissed" };
    const { id, answer } = this.open(question);
    const withdraw = () => this.withdraw(id);
    signal?.addEventListener("abort", withdraw);
    try {
      return await answer;
    } finally {
      signal?.removeEventListener("abort", withdraw);
    }
  }

  /** Settles a question. Unknown ids, and options that it does not have, are ignored. */
  answer(id: string, answer: QuestionAnswer): void {
    const found = this.#waiting.find((waiting) => waiting.question.id === id);
    if (found === undefined || !fits(found.question, answer)) return;
    this.#set(this.#waiting.filter((waiting) => waiting !== found));
    found.settle(answer);
  }

  /** Takes a question away that needs no answer any more. */
  withdraw(id: string): void {
    this.answer(id, { type: "dismissed" });
  }

  /** Dismisses everything, now and from now on. */
  close(): void {
    this.#closed = true;
    for (const question of this.questions) this.withdraw(question.id);
  }

  #set(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    this.#changed();
  }
}

function fits(question: Question, answer: QuestionAnswer): boolean {
  switch (answer.type) {
    case "dismissed":
      return true;
    case "option":
      return question.options.some((option) => option.id === answer.id);
    case "text":
      return question.kind === "text" || question.kind === "secret";
  }
}
