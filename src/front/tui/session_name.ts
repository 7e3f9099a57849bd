/**
 * What a session is called.
 *
 * @module
 */

import { sanitizeLine } from "../../base/sanitize.ts";
import type { SessionState } from "../../model/session.ts";

/** Characters of a name that are looked at: it is drawn with every frame, in a line with others. */
const MAX_NAME = 500;

/** The title of a session for people: its title, else its id, else that it has none yet. */
export function sessionName(state: SessionState): string {
  const title = nameLine(state.title ?? "");
  if (title.trim() !== "") return title;
  return state.sessionId === "" ? "new session" : nameLine(state.sessionId);
}

/** The name of anything in one line; of an endless one the beginning. Sanitised. */
export function nameLine(name: string, sequences: "drop" | "reveal" = "drop"): string {
  const seen = name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`;
  return sanitizeLine(seen, sequences);
}
