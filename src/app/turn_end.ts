/**
 * Questions that belong to a turn.
 *
 * @module
 */

import type { SessionStore } from "../model/session_store.ts";

const ENDS: ReadonlySet<string> = new Set(["cancel_requested", "turn_ended", "disconnected"]);

/** Tells when a turn no longer wants its answers. */
export interface TurnEnd {
  /** Aborts when the turn is cancelled or ends, and when the agent goes. */
  readonly signal: AbortSignal;
  /** Stops watching. */
  stop(): void;
}

/** Watches the turn of a session; of one that is not known, nothing ever comes. */
export function watchTurnEnd(store: SessionStore | undefined): TurnEnd {
  const end = new AbortController();
  const turn = store?.state.turn;
  // An agent that has not heard of it yet may go on asking.
  if (turn?.state === "running" && turn.cancelRequested) end.abort();
  const stop = store?.subscribe(({ event }) => {
    if (ENDS.has(event.type)) end.abort();
  });
  return { signal: end.signal, stop: () => stop?.() };
}
