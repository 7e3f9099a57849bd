/**
 * A program without an agent behind it: what is submitted says what happens.
 *
 * @module
 */

import type { App, AppChange, AppState, Question, QuestionAnswer } from "../../../src/app/view.ts";
import type { ThemeChoice } from "../../../src/app/options.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { Listeners } from "../../../src/base/listeners.ts";
import { SessionStore } from "../../../src/model/session_store.ts";

/** What a prompt makes a {@link FakeApp} do. Settles when the turn shall end. */
export type Script = (app: FakeApp, text: string, signal: AbortSignal) => Promise<void>;

/** An app whose agent is a script. */
export class FakeApp implements App {
  readonly store: SessionStore;
  /** Everything that was submitted, in order. */
  readonly submitted: string[] = [];
  readonly answers: QuestionAnswer[] = [];
  readonly startError = Promise.resolve(undefined);
  readonly interactive = true;
  readonly history = {
    load: () => Promise.resolve(["older prompt", "newer prompt"]),
    add: () => Promise.resolve(),
  };
  readonly done: Promise<number>;
  readonly #changes = new Listeners<AppChange>();
  readonly #script: Script;
  readonly #settleDone: (status: number) => void;
  #state: AppState;
  #turn: AbortController | undefined;
  #questions = 0;
  readonly #waiting = new Map<string, (answer: QuestionAnswer) => void>();

  /** `now` is the time of the session's events. */
  constructor(script: Script, { now }: { readonly now: () => number }) {
    const cwd = "/home/user/proj";
    this.#script = script;
    this.store = new SessionStore(cwd, { ...systemClock, now });
    const { promise, resolve } = Promise.withResolvers<number>();
    this.done = promise;
    this.#settleDone = resolve;
    this.#state = {
      phase: "ready",
      agent: "fake",
      demo: false,
      active: this.store,
      sessions: [this.store],
      queue: [],
      questions: [],
      tools: 0,
    };
    this.store.dispatch({ type: "session_opened", sessionId: "s1", cwd, how: "new", response: {} });
    this.store.subscribe((change) =>
      this.#changes.emit({ type: "session", store: this.store, change })
    );
  }

  get state(): AppState {
    return this.#state;
  }

  subscribe(listener: (change: AppChange) => void) {
    return this.#changes.add(listener);
  }

  /** Sends an update of the agent. */
  update(update: unknown): void {
    this.store.dispatch({ type: "update_received", update });
  }

  /** Sends a piece of the agent's answer. */
  say(text: string): void {
    this.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  /** Prints as a command of ours does. */
  output(text: string): void {
    this.#changes.emit({ type: "output", text });
  }

  /** Chooses a background, as `/theme` does. */
  choose(theme: ThemeChoice): void {
    this.#set({ theme });
  }

  /** Asks a question and waits for the answer. */
  ask(question: Omit<Question, "id">): Promise<QuestionAnswer> {
    const id = `q${++this.#questions}`;
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    this.#waiting.set(id, resolve);
    this.#set({ questions: [...this.#state.questions, { ...question, id }] });
    return promise;
  }

  async submit(text: string): Promise<void> {
    this.submitted.push(text);
    if (this.#turn !== undefined) {
      this.#set({ queue: [...this.#state.queue, text] });
      return;
    }
    await this.#run(text);
  }

  prompt(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  cancelTurn(): boolean {
    if (this.#turn === undefined) return false;
    this.store.dispatch({ type: "cancel_requested" });
    this.#turn.abort();
    return true;
  }

  answer(id: string, answer: QuestionAnswer): void {
    this.answers.push(answer);
    this.#set({ questions: this.#state.questions.filter((question) => question.id !== id) });
    this.#waiting.get(id)?.(answer);
  }

  unqueue(): string | undefined {
    const last = this.#state.queue.at(-1);
    this.#set({ queue: this.#state.queue.slice(0, -1) });
    return last;
  }

  stopCommand(): boolean {
    return false;
  }

  attachImage(): Promise<string> {
    return Promise.resolve("there is no clipboard");
  }

  dropAttachment(): boolean {
    return false;
  }

  complete(text: string, cursor: number) {
    const start = text.lastIndexOf("/", cursor);
    const items = ["/help", "/exit"].filter((name) => name.startsWith(text.slice(start, cursor)))
      .map((name) => ({ insert: `${name} `, label: name, description: `the ${name} command` }));
    return Promise.resolve({ start: Math.max(0, start), items: start === 0 ? items : [] });
  }

  leave(status: number): Promise<void> {
    this.#settleDone(status);
    return Promise.resolve();
  }

  async #run(text: string): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    this.store.dispatch({ type: "prompt_sent", blocks: [{ type: "text", text }] });
    await this.#script(this, text, turn.signal);
    this.#turn = undefined;
    const stopReason = turn.signal.aborted ? "cancelled" : "end_turn";
    this.store.dispatch({ type: "turn_ended", outcome: { ok: true, stopReason } });
    const [next, ...rest] = this.#state.queue;
    if (next === undefined) return;
    this.#set({ queue: rest });
    await this.#run(next);
  }

  #set(change: Partial<AppState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit({ type: "state", state: this.#state });
  }
}
