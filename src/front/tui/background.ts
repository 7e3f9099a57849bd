/**
 * The background that colours are made for: the person's choice, else what the terminal reports.
 *
 * @module
 */

import { parseBackground, type SwitchableTheme } from "./theme.ts";

/** What a person can choose. */
export type BackgroundChoice = "auto" | "dark" | "light";

/** Asks the terminal for the colour of its background. */
const REQUEST = "\x1b]11;?\x07";

/** Switches the theme. Without colours it stays as it is. */
export class Background {
  readonly #theme: SwitchableTheme;
  #choice: BackgroundChoice | undefined;

  constructor(theme: SwitchableTheme) {
    this.#theme = theme;
  }

  /** Goes by a choice from now on. Gives what is to be written to the terminal. */
  choose(choice: BackgroundChoice): string {
    if (choice === this.#choice || this.#theme.name === "plain") return "";
    this.#choice = choice;
    if (choice === "auto") return REQUEST;
    this.#theme.use(choice);
    return "";
  }

  /** Takes an answer of the terminal, to whatever it was asked. */
  take(reply: string): void {
    if (this.#choice !== "auto" || !reply.startsWith("\x1b]11;")) return;
    const background = parseBackground(reply);
    if (background !== undefined) this.#theme.use(background);
  }
}
