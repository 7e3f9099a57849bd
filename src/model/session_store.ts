/**
 * The current state of one session, and who wants to know when it changes.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { initialSession, reduceSession } from "./reduce.ts";
import type { SessionEvent, SessionState } from "./session.ts";

/** An event without its time, which the store adds. */
export type NewSessionEvent = SessionEvent extends infer E
  ? E extends { readonly at: number } ? Omit<E, "at"> : never
  : never;

/** What a listener is told: the event, and the state after it. */
export interface SessionChange {
  readonly event: SessionEvent;
  readonly state: SessionState;
}

/** Holds one session's state; every change goes through {@link SessionStore.dispatch}. */
export class SessionStore {
  #state: SessionState;
  readonly #changes = new Listeners<SessionChange>();
  readonly #clock: Clock;

  constructor(cwd: string, clock: Clock = systemClock) {
    this.#state = initialSession(cwd);
    this.#clock = clock;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Applies an event that has just happened. Never throws. */
  dispatch(event: NewSessionEvent): void {
    const stamped = { ...event, at: this.#clock.now() } as SessionEvent;
    this.#state = reduceSession(this.#state, stamped);
    this.#changes.emit({ event: stamped, state: this.#state });
  }

  /** Calls `listener` after every change. */
  subscribe(listener: (change: SessionChange) => void): Unsubscribe {
    return this.#changes.add(listener);
  }
}
