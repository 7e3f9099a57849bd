/**
 * What a session is called.
 *
 * @module
 */

import { sanitizeLine } from "../../base/sanitize.ts";
import type { SessionState } from "../../model/session.ts";

/** The title of a session for people: its title, else its id, else that it has none yet. */
export function sessionName(state: SessionState): string {
  if (state.title !== undefined && state.title.trim() !== "") return sanitizeLine(state.title);
  return state.sessionId === "" ? "new session" : sanitizeLine(state.sessionId);
}
