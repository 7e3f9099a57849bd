/**
 * What a session is called.
 *
 * @module
 */

import type { SessionState } from "../model/session.ts";

/** The title of a session, else its id, else that it has none yet. Unsanitised. */
export function sessionName({ title, sessionId }: SessionState): string {
  if (title !== undefined && title.trim() !== "") return title;
  return sessionId === "" ? "new session" : sessionId;
}
