/**
 * The transcripts of all sessions; one of them is shown.
 *
 * @module
 */

import type { SessionChange, SessionStore } from "../../model/session_store.ts";
import type { ViewContext } from "./entries/context.ts";
import { fit } from "./layout.ts";
import { sessionName } from "./session_name.ts";
import type { Transcript } from "./transcript.ts";

/** Makes transcripts when their sessions are shown for the first time. */
export class SessionTranscripts {
  readonly #make: (store: SessionStore) => Transcript;
  readonly #transcripts = new Map<SessionStore, Transcript>();
  #shown: SessionStore;

  constructor(first: SessionStore, make: (store: SessionStore) => Transcript) {
    this.#shown = first;
    this.#make = make;
  }

  /** The transcript that is shown. */
  get shown(): Transcript {
    const known = this.#transcripts.get(this.#shown);
    if (known !== undefined) return known;
    const made = this.#make(this.#shown);
    this.#transcripts.set(this.#shown, made);
    return made;
  }

  /** A session has changed. */
  note(store: SessionStore, change: SessionChange): void {
    this.#transcripts.get(store)?.note(change);
  }

  /** Shows a session. Gives the lines between it and the one before: its end, and the new name. */
  show(store: SessionStore, view: ViewContext): readonly string[] {
    if (store === this.#shown) return [];
    const left = this.shown.frame(view, 0).finished;
    this.#shown = store;
    const label = fit(`── session: ${sessionName(store.state)} ──`, view.width);
    return [...left, "", view.theme.style("accent", label)];
  }
}
