/**
 * The store of a session whose transcript may already be on the screen.
 *
 * @module
 */

import { asObject } from "../base/guards.ts";
import { type NewSessionEvent, SessionStore } from "../model/session_store.ts";

/** Updates that carry settings, not transcript: they count even in a replay that is not wanted. */
const SETTINGS = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "session_info_update",
  "usage_update",
]);

/**
 * A session store that can leave the replayed transcript of `session/load` out, for a session that
 * is opened again and whose entries it already has.
 */
export class TranscriptStore extends SessionStore {
  /** Leave replayed entries out. */
  skipReplay = false;

  override dispatch(event: NewSessionEvent): void {
    if (
      this.skipReplay && this.state.replaying && event.type === "update_received" &&
      !SETTINGS.has(String(asObject(event.update).sessionUpdate))
    ) return;
    super.dispatch(event);
  }
}
