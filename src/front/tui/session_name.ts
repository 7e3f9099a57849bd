/**
 * What a session is called.
 *
 * @module
 */

import type { SessionState } from "../../model/session.ts";
import { nameLine } from "../endless.ts";

/** The title of a session for people: its title, else its id, else that it has none yet. */
export function sessionName(state: SessionState): string {
  const title = nameLine(state.title ?? "");
  if (title.trim() !== "") return title;
  return state.sessionId === "" ? "new session" : nameLine(state.sessionId);
}
