/**
 * The text of the answer as it comes.
 *
 * @module
 */

import { asObject } from "../../base/guards.ts";
import { parseContent, textOf } from "../../model/content.ts";
import type { SessionState } from "../../model/session.ts";
import type { SessionChange } from "../../model/session_store.ts";

/** Follows the agent's messages of the running turns; replayed history is none of it. */
export class AgentText {
  #message: number | undefined;
  #end = "";

  /** What a change adds to the text; a blank line separates messages. */
  added({ event, state }: SessionChange): string {
    if (event.type !== "update_received" || state.replaying || state.turn.state !== "running") {
      return "";
    }
    const update = asObject(event.update);
    if (update.sessionUpdate !== "agent_message_chunk") return "";
    const text = textOf(parseContent(update.content));
    if (text === "") return "";
    const next = this.#message !== undefined && this.#message !== state.open.message;
    const added = (next ? "\n\n".slice(newlines(this.#end)) : "") + text;
    this.#message = state.open.message;
    this.#end = (this.#end + added).slice(-2);
    return added;
  }

  /** Whether the line that was begun may go on: its message has not ended. */
  isWithinLine({ open }: SessionState): boolean {
    return this.#message !== undefined && this.#message === open.message &&
      this.#end !== "" && !this.#end.endsWith("\n");
  }

  /** Ends the line: a newline where one is missing, nothing where there is no text yet. */
  endLine(): string {
    if (this.#end === "" || this.#end.endsWith("\n")) return "";
    this.#end = "\n";
    return "\n";
  }
}

function newlines(end: string): number {
  return /\n*$/.exec(end)?.[0].length ?? 0;
}
