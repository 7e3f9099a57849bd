/**
 * What the terminal's window shows besides the screen: title, progress, notifications.
 *
 * @module
 */

import { nameLine } from "../endless.ts";

type Env = (name: string) => string | undefined;

/** Characters of a title or of a notification. */
const MAX_TEXT = 200;

/** Turns shorter than this need no notification: the person is still there. Milliseconds. */
export const LONG_TURN_MS = 10_000;

/** Gives sequences for the window; what it shows already is not sent again. */
export class WindowSignals {
  readonly #env: Env;
  readonly #notifications: "auto" | "bell" | "off";
  #title = "";
  #working = false;

  constructor(env: Env, notifications: "auto" | "bell" | "off") {
    this.#env = env;
    this.#notifications = notifications;
  }

  /** Sets the title of the window. */
  title(text: string): string {
    const title = short(text);
    if (title === this.#title) return "";
    this.#title = title;
    return `\x1b]0;${title}\x07`;
  }

  /** Shows or takes away that something is going on, where the terminal has a place for that. */
  progress(working: boolean): string {
    if (working === this.#working) return "";
    this.#working = working;
    return this.#showsProgress() ? `\x1b]9;4;${working ? 3 : 0}\x07` : "";
  }

  /** Calls a person who looks elsewhere. */
  notify(text: string): string {
    if (this.#notifications === "off") return "";
    const message = short(text).replaceAll(";", ",");
    if (this.#notifications === "auto") {
      const program = this.#env("TERM_PROGRAM") ?? "";
      if (/^(iTerm\.app|WezTerm|ghostty)$/.test(program) || this.#env("KITTY_WINDOW_ID")) {
        return `\x1b]9;${message}\x07`;
      }
      if (/^(foot|rxvt-unicode)/.test(this.#env("TERM") ?? "")) {
        return `\x1b]777;notify;mm-repl;${message}\x07`;
      }
    }
    return "\x07";
  }

  /** Elsewhere the sequence would be a notification, or text. */
  #showsProgress(): boolean {
    return /^(WezTerm|ghostty)$/.test(this.#env("TERM_PROGRAM") ?? "") ||
      Boolean(this.#env("WT_SESSION")) || Boolean(this.#env("ConEmuPID"));
  }
}

/** One line, cut between characters. */
function short(text: string): string {
  return [...nameLine(text)].slice(0, MAX_TEXT).join("");
}
