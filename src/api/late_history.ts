/**
 * The history of a loaded session that comes when it was not waited for any more.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { asObject } from "../base/guards.ts";
import { parseContent, textOf } from "../model/content.ts";
import type { SessionStore } from "../model/session_store.ts";
import { historyPart, QUIET_MS } from "./replay.ts";

/** How long a prompt waits for the end of a history, and a turn for its beginning, in milliseconds. */
const LONGEST_MS = 1_000;

/** Most updates that are held back. */
const MAX_HELD = 10_000;

/**
 * Takes the updates of a session from its loading to the end of its first turn.
 *
 * Before the first prompt, what the user has said can only be history, and what follows it at once is
 * history too. In the first turn, something else that the user has said than the prompt may be: it is
 * held back, with what follows, until the agent repeats the prompt, which shows that everything
 * before it was history. Without that nothing is known, and everything counts as it comes: an answer
 * is never taken for history.
 */
export class LateHistory {
  readonly #store: SessionStore;
  readonly #known: boolean;
  readonly #clock: Clock;
  #state: "before" | "history" | "turn" | "held" | "over" = "before";
  /** Text of the prompt of the first turn. */
  #prompt = "";
  #held: unknown[] = [];
  #heldSince = 0;
  #cancelTimer = () => {};
  #ended = Promise.withResolvers<void>();

  /** @param known whether what was said in the session was here before it was loaded */
  constructor(store: SessionStore, known: boolean, clock: Clock = systemClock) {
    this.#store = store;
    this.#known = known;
    this.#clock = clock;
    this.#ended.resolve();
  }

  /** Takes an update, in place of the store. */
  receive(update: unknown): void {
    if (this.#state === "turn" || this.#state === "held") return this.#receiveInTurn(update);
    const begins = this.#state === "before" && isUser(update);
    if (begins) {
      this.#state = "history";
      this.#ended = Promise.withResolvers();
      this.#store.dispatch({ type: "replay_started", known: this.#known });
    }
    if (this.#state === "history") this.#after(QUIET_MS, () => this.#endHistory());
    this.#store.dispatch({ type: "update_received", update });
  }

  /** Settles when no history is coming in, after a second at most. */
  async passed(): Promise<void> {
    const stop = this.#clock.after(LONGEST_MS, () => this.#endHistory());
    await this.#ended.promise;
    stop();
  }

  /** Says that the first prompt has been sent. */
  prompted(blocks: readonly unknown[]): void {
    if (this.#state === "over") return;
    this.#endHistory();
    this.#state = "turn";
    this.#prompt = textOf(parseContent(blocks)).trim();
  }

  /** Says that the turn, or the session, is about to end. Idempotent. */
  close(): void {
    this.#endHistory();
    this.#release();
    this.#state = "over";
  }

  #receiveInTurn(update: unknown): void {
    const unlike = isUser(update) && !this.#isPrompt(update);
    if (this.#state === "turn" && unlike) {
      this.#state = "held";
      this.#heldSince = this.#clock.now();
    }
    if (this.#state === "held") {
      if (isUser(update) && !unlike) return this.#repeated(update);
      this.#held.push(update);
      const late = this.#clock.now() - this.#heldSince >= LONGEST_MS;
      if (late || this.#held.length >= MAX_HELD) return this.#release();
      return this.#after(QUIET_MS, () => this.#release());
    }
    // The turn has begun: from here on everything is of it.
    if (historyPart("nothing", update) !== "nothing") this.#state = "over";
    this.#store.dispatch({ type: "update_received", update });
  }

  /** The agent repeats the prompt: what came before it was history, and is no news here. */
  #repeated(update: unknown): void {
    this.#store.dispatch({ type: "replay_started", known: true });
    this.#release();
    this.#store.dispatch({ type: "replay_ended" });
    this.#store.dispatch({
      type: "notice_added",
      severity: "info",
      text: "The agent has told the session's history late: it is not shown",
    });
    this.#store.dispatch({ type: "update_received", update });
  }

  #release(): void {
    this.#cancelTimer();
    const held = this.#held;
    this.#held = [];
    if (this.#state === "held") this.#state = "over";
    for (const update of held) this.#store.dispatch({ type: "update_received", update });
  }

  #endHistory(): void {
    if (this.#state !== "history") return;
    this.#cancelTimer();
    this.#state = "before";
    this.#store.dispatch({ type: "replay_ended" });
    this.#ended.resolve();
  }

  #isPrompt(update: unknown): boolean {
    const text = textOf(parseContent(asObject(update).content)).trim();
    return text !== "" && this.#prompt.startsWith(text);
  }

  #after(ms: number, callback: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.after(ms, callback);
  }
}

function isUser(update: unknown): boolean {
  return historyPart("nothing", update) === "question";
}
