/**
 * The prompts of one session that wait for their turn.
 *
 * @module
 */

import type { TurnOutcome } from "../model/session.ts";
import type { Prompt } from "./attachments.ts";

/** What a queue needs from around it. */
export interface PromptQueueOptions {
  /** Sends a prompt and waits for its turn to end. Must not reject. */
  readonly send: (prompt: Prompt) => Promise<TurnOutcome | undefined>;
  /** Whether a prompt can be sent now; after a change call {@link PromptQueue.pump}. */
  readonly ready: () => boolean;
  /** Whether the rest waits for a person after a turn that was cancelled or failed. */
  readonly holdAfterTrouble: boolean;
  readonly changed: () => void;
  /** Told when the rest is held back. */
  readonly held: (outcome: TurnOutcome | undefined) => void;
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
    this.pump();
    if (this.#waiting.includes(place)) this.#options.changed();
    return promise;
  }

  /** Is told that a person has cancelled the turn that runs: what waits is then held back. */
  cancelled(): void {
    this.#cancelled = this.#running;
  }

  /** Sends what was held back. False when there was nothing. */
  release(): boolean {
    if (!this.#held || this.#waiting.length === 0) return false;
    this.#held = false;
    this.pump();
    return true;
  }

  /** Takes over everything that waits in another queue; what was held there is held here. */
  adopt(other: PromptQueue): void {
    if (other.#waiting.length === 0) return;
    this.#waiting = [...this.#waiting, ...other.#waiting];
    this.#held ||= other.#held;
    other.#waiting = [];
    other.#held = false;
    this.#options.changed();
    this.pump();
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
    if (this.#running || this.#held || !this.#options.ready()) return;
    const [next, ...rest] = this.#waiting;
    if (next === undefined) return;
    this.#waiting = rest;
    this.#running = true;
    this.#options.changed();
    void this.#run(next);
  }

  async #run({ prompt, settle }: Place): Promise<void> {
    const outcome = await this.#options.send(prompt);
    this.#running = false;
    const goesOn = this.#urgent || !this.#options.holdAfterTrouble;
    const trouble = this.#cancelled || isTrouble(outcome);
    this.#urgent = false;
    this.#cancelled = false;
    if (this.#waiting.length > 0 && !goesOn && trouble) {
      this.#held = true;
      this.#options.held(outcome);
    }
    settle(outcome);
    this.pump();
  }
}

function isTrouble(outcome: TurnOutcome | undefined): boolean {
  return outcome === undefined || !outcome.ok || outcome.stopReason === "cancelled";
}
