/** @module */

import { MmError } from "../../base/errors.ts";
import type { ThemeChoice } from "../options.ts";
import type { Command } from "./command.ts";

const CHOICES: readonly { readonly id: ThemeChoice; readonly means: string }[] = [
  { id: "auto", means: "colours go by the background that the terminal reports" },
  { id: "dark", means: "colours are made for a dark background" },
  { id: "light", means: "colours are made for a light background" },
];

/** What takes all colours away, or leaves only those that no theme changes. */
const REASONS = "NO_COLOR, FORCE_COLOR, TERM, the setting color or plain mode says so.";

/** `/theme [auto|dark|light]`: the background that colours are made for. */
export const themeCommand: Command = {
  name: "theme",
  args: "[auto|dark|light]",
  help: "Make the colours for a dark or a light background, or as the terminal says",
  complete: () => CHOICES.map(({ id, means }) => ({ insert: id, label: id, description: means })),
  run(args, host) {
    const chosen = CHOICES.find(({ id }) => id === (args === "" ? host.theme : args));
    if (chosen === undefined) {
      throw new MmError("usage", `Cannot use the theme ${args}: it is auto, dark or light`);
    }
    if (host.colourless) {
      return host.notice("warning", "There are no colours here that a theme could change", REASONS);
    }
    if (args === "") return host.notice("info", `Now ${chosen.means}`);
    host.theme = chosen.id;
    host.notice("info", `From now on ${chosen.means}`);
  },
};
