/**
 * The prompts of one session that wait for their turn.
 *
 * @module
 */

import type { TurnOutcome } from "../model/session.ts";
import type { Prompt } from "./attachments.ts";

/** What a queue needs from around it. */
export interface PromptQueueOptions {
  /**
   * Sends a prompt and waits for its turn to end; `undefined` when it could not be sent. Must not
   * reject.
   */
  readonly send: (prompt: Prompt) => Promise<TurnOutcome | undefined>;
  /** Whether a prompt can be sent now; after a change call {@link PromptQueue.pump}. */
  readonly ready: () => boolean;
  /** Whether the rest waits for a person after a turn that was cancelled or failed. */
  readonly holdAfterTrouble: boolean;
  /** Whether a prompt that could not be sent waits for the next session. */
  readonly keepsUnsent: () => boolean;
  readonly changed: () => void;
  /** Told when the rest is held back. */
  readonly held: (outcome: TurnOutcome) => void;
}

interface Place {
  readonly prompt: Prompt;
  readonly settle: (outcome: TurnOutcome | undefined) => void;
}

/** Sends prompts one after the other. */
export class PromptQueue {
  #waiting: readonly Place[] = [];
  #running = false;
  #held = false;
  /** {@link pump} was called while a prompt was on its way. */
  #pumped = false;
  /** The turn that runs was cancelled for the sake of the next prompt. */
  #urgent = false;
  /** A person has cancelled the turn that runs: what the agent answers then does not matter. */
  #cancelled = false;
  readonly #options: PromptQueueOptions;

  constructor(options: PromptQueueOptions) {
    this.#options = options;
  }

  /** The waiting prompts, oldest first. */
  get texts(): readonly string[] {
    return this.#waiting.map(({ prompt }) => prompt.text);
  }

  /** Whether waiting prompts wait for a person. */
  get held(): boolean {
    return this.#held;
  }

  /** Adds a prompt at the end, or `first`, and lets the queue go on if it was held. */
  add(prompt: Prompt, first = false): Promise<TurnOutcome | undefined> {
    const { promise, resolve } = Promise.withResolvers<TurnOutcome | undefined>();
    const place = { prompt, settle: resolve };
    this.#waiting = first ? [place, ...this.#waiting] : [...this.#waiting, place];
    this.#held = false;
    this.#urgent ||= first && this.#running;
    this.#next();
    if (this.#waiting.includes(place)) this.#options.changed();
    return promise;
  }

  /** Is told that a person has cancelled the turn that runs: what waits is then held back. */
  cancelled(): void {
    this.#cancelled = this.#running;
  }

  /** Keeps what waits until a person lets it go. */
  hold(): void {
    this.#held = this.#waiting.length > 0;
  }

  /** Sends what was held back. False when there was nothing. */
  release(): boolean {
    if (!this.#held || this.#waiting.length === 0) return false;
    this.#held = false;
    this.#next();
    return true;
  }

  /**
   * Takes over what waits in another queue, but for the oldest `left` prompts; what was held there
   * is held here.
   */
  adopt(other: PromptQueue, left = 0): void {
    if (other.#waiting.length <= left) return;
    this.#waiting = [...this.#waiting, ...other.#waiting.slice(left)];
    this.#held ||= other.#held;
    other.#waiting = other.#waiting.slice(0, left);
    other.#held &&= left > 0;
    this.#options.changed();
    this.#next();
  }

  /** Takes the newest prompt back. */
  takeNewest(): Prompt | undefined {
    const newest = this.#waiting.at(-1);
    if (newest === undefined) return undefined;
    this.#waiting = this.#waiting.slice(0, -1);
    this.#options.changed();
    newest.settle(undefined);
    return newest.prompt;
  }

  /** Drops everything that waits and says how much it was. */
  clear(): number {
    const dropped = this.#waiting;
    this.#waiting = [];
    this.#held = false;
    if (dropped.length > 0) this.#options.changed();
    for (const place of dropped) place.settle(undefined);
    return dropped.length;
  }

  /** Sends the next prompt if it can be sent now. */
  pump(): void {
    this.#pumped = this.#running;
    this.#next();
  }

  #next(): void {
    if (this.#running || this.#held || !this.#options.ready()) return;
    const [next, ...rest] = this.#waiting;
    if (next === undefined) return;
    this.#waiting = rest;
    this.#running = true;
    this.#options.changed();
    void this.#run(next);
  }

  async #run(place: Place): Promise<void> {
    const outcome = await this.#options.send(place.prompt);
    this.#running = false;
    if (outcome === undefined) return this.#takeBack(place);
    const goesOn = this.#urgent || !this.#options.holdAfterTrouble;
    const trouble = this.#cancelled || isTrouble(outcome);
    this.#urgent = false;
    this.#cancelled = false;
    if (this.#waiting.length > 0 && !goesOn && trouble) {
      this.#held = true;
      this.#options.held(outcome);
    }
    place.settle(outcome);
    this.#next();
  }

  /** Nothing was sent: the session has just ended. The next one, if it is not there yet, pumps. */
  #takeBack(place: Place): void {
    this.#urgent = false;
    this.#cancelled = false;
    if (!this.#options.keepsUnsent()) return place.settle(undefined);
    this.#waiting = [place, ...this.#waiting];
    this.#options.changed();
    if (this.#pumped) this.pump();
  }
}

function isTrouble(outcome: TurnOutcome): boolean {
  return !outcome.ok || outcome.stopReason === "cancelled";
}
