/**
 * The terminals that we run for the agent, as a session shows them.
 *
 * @module
 */

import type { SessionState, TerminalState } from "./session.ts";

/** Terminals that are kept; beyond it the oldest are forgotten. */
const TERMINALS_KEPT = 100;

/** The terminal with this id, if the session knows it. */
export function terminalOf(state: SessionState, terminalId: string): TerminalState | undefined {
  return Object.hasOwn(state.terminals, terminalId) ? state.terminals[terminalId] : undefined;
}

/** Adds a terminal that has just been started. */
export function addTerminal(
  state: SessionState,
  terminalId: string,
  command: string,
): SessionState {
  const terminal: TerminalState = { command, output: "", truncated: false };
  const kept = Object.entries(state.terminals).slice(1 - TERMINALS_KEPT);
  return { ...state, terminals: { ...Object.fromEntries(kept), [terminalId]: terminal } };
}

/** Changes a terminal; an unknown one changes nothing. */
export function changeTerminal(
  state: SessionState,
  terminalId: string,
  change: Partial<TerminalState>,
): SessionState {
  const terminal = terminalOf(state, terminalId);
  if (terminal === undefined) return state;
  return { ...state, terminals: { ...state.terminals, [terminalId]: { ...terminal, ...change } } };
}
