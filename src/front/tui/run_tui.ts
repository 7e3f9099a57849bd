/**
 * Starting the terminal front end.
 *
 * @module
 */

import type { App } from "../../app/view.ts";
import type { Settings } from "../../config/settings.ts";
import { Background } from "./background.ts";
import { loadHighlighter } from "./highlight.ts";
import { openKeymap } from "./keys.ts";
import { chooseTheme, SwitchableTheme } from "./theme.ts";
import { drawApp } from "./tui.ts";

/** What the terminal front end can be told. */
export interface TuiOptions {
  /** The settings that it looks at. */
  readonly settings?: Pick<Settings, "color" | "theme" | "keys" | "notifications" | "historySize">;
}

/** Time after the first frame in which the highlighter is not loaded yet, in milliseconds. */
const HIGHLIGHT_AFTER_MS = 150;

/**
 * Shows `app` in the terminal on stdin and stdout. Settles with the exit status when
 * {@link App.done} has settled and the terminal is as it was found.
 */
export async function runTui(app: App, { settings = {} }: TuiOptions = {}): Promise<number> {
  const env = (name: string) => Deno.env.get(name);
  const { color, theme, keys, notifications = "auto", historySize = 1_000 } = settings;
  const chosen = chooseTheme({
    ...(color === undefined ? {} : { color }),
    ...(theme === undefined ? {} : { theme }),
    env,
  });
  const switchable = new SwitchableTheme(chosen);
  const parts = {
    app,
    keys: openKeymap(keys),
    theme: switchable,
    background: new Background(switchable),
    notifications,
    historySize,
    env,
  };
  const loading = setTimeout(() => void loadHighlighter(), HIGHLIGHT_AFTER_MS);
  try {
    return await drawApp(parts);
  } finally {
    clearTimeout(loading);
  }
}
