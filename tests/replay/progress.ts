/**
 * How far a run has come: what has arrived of all that the agent writes.
 *
 * @module
 */

import { within } from "../../src/base/clock.ts";
import type { Run, Step } from "./trace.ts";

/** Numbers of things that have arrived, or that must have. */
interface Counts {
  /** Messages of any kind, on the wire. */
  readonly messages: number;
  /** Updates that the client has taken. */
  readonly updates: number;
  /** Permission questions that the session's state shows. */
  readonly questions: number;
  /** Requests and notifications that the client was made to send. */
  readonly acts: number;
}

/** Counts what arrives, and waits until enough has. */
export class Progress {
  readonly #run: Run;
  readonly #boundMs: number;
  #now: Counts = { messages: 0, updates: 0, questions: 0, acts: 0 };
  #wake = Promise.withResolvers<void>();

  /** @param boundMs how long one step is waited for, in milliseconds */
  constructor(run: Run, boundMs: number) {
    this.#run = run;
    this.#boundMs = boundMs;
  }

  /** A message of the agent is on the wire. */
  arrived(): void {
    this.#count({ ...this.#now, messages: this.#now.messages + 1 });
  }

  /** The client has taken an update. */
  updated(): void {
    this.#count({ ...this.#now, updates: this.#now.updates + 1 });
  }

  /** The agent's permission question has reached the session. */
  questioned(): void {
    this.#count({ ...this.#now, questions: this.#now.questions + 1 });
  }

  /** The client is made to send something. */
  acted(): void {
    this.#count({ ...this.#now, acts: this.#now.acts + 1 });
  }

  /** Waits until everything has arrived, and was sent, that the run has before a step. */
  async reach(index: number): Promise<void> {
    const wanted = countsOf(this.#run.steps.slice(0, index));
    while (!isEnough(this.#now, wanted)) {
      if (!(await within(this.#wake.promise, this.#boundMs)).ok) {
        throw new Error(
          `step ${index} was never reached: ${JSON.stringify(this.#now)} of ` +
            JSON.stringify(wanted),
        );
      }
    }
    // What was counted just now is still being dealt with.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  #count(now: Counts): void {
    this.#now = now;
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

function countsOf(steps: readonly Step[]): Counts {
  const written = steps.filter((step) => step.by === "agent" && step.type !== "line");
  const methods = written.map((step) => "method" in step ? step.method : "");
  const count = (method: string) => methods.filter((one) => one === method).length;
  return {
    messages: written.length,
    updates: count("session/update"),
    questions: count("session/request_permission"),
    acts: steps.filter((step) => step.by === "client" && step.type !== "answer").length,
  };
}

function isEnough(now: Counts, wanted: Counts): boolean {
  return now.messages >= wanted.messages && now.updates >= wanted.updates &&
    now.questions >= wanted.questions && now.acts >= wanted.acts;
}
