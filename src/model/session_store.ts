/**
 * The current state of one session, and who wants to know when it changes.
 *
 * @module
 */

import { type Clock, systemClock } from "../base/clock.ts";
import { Listeners, type Unsubscribe } from "../base/listeners.ts";
import { initialSession, reduceSession } from "./reduce.ts";
import type { SessionEvent, SessionState } from "./session.ts";

/**
 * An event without its time, which the store adds.
 *
 * ```ts
 * import type { NewSessionEvent } from "@mm/repl";
 *
 * const event: NewSessionEvent = { type: "mode_changed", modeId: "plan" };
 * ```
 */
export type NewSessionEvent = SessionEvent extends infer E
  ? E extends { readonly at: number } ? Omit<E, "at"> : never
  : never;

/**
 * What a listener is told: the event, and the state after it.
 *
 * ```ts
 * import type { SessionChange } from "@mm/repl";
 *
 * const isNews = ({ event }: SessionChange) => event.type === "update_received";
 * ```
 */
export interface SessionChange {
  /** What has just happened. */
  readonly event: SessionEvent;
  /** Immutable. */
  readonly state: SessionState;
}

/**
 * Holds one session's state; every change goes through {@link SessionStore.dispatch}.
 *
 * ```ts
 * import { SessionStore } from "@mm/repl";
 *
 * const store = new SessionStore("/tmp");
 * store.subscribe(({ state }) => console.assert(state.entries.length === 1));
 * store.dispatch({ type: "notice_added", severity: "info", text: "hello" });
 * ```
 */
export class SessionStore {
  #state: SessionState;
  readonly #changes = new Listeners<SessionChange>();
  readonly #clock: Clock;

  /** A session without anything in it; `cwd` is absolute. */
  constructor(cwd: string, clock: Clock = systemClock) {
    this.#state = initialSession(cwd);
    this.#clock = clock;
  }

  /** The session as it is now. */
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
