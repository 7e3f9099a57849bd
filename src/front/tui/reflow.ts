/**
 * What a terminal does to the lines on its screen when it becomes narrower.
 *
 * No terminal tells, and each does it in its way; what we know of it decides how far up the lines
 * begin that are ours to draw again.
 *
 * @module
 */

/** See the module. */
export type Reflow =
  /** Cuts them off. */
  | "none"
  /** Wraps all but the one with the cursor, as xterm.js does. */
  | "not-cursor"
  /** Wraps them all. */
  | "all";

/** What the environment tells. */
export function reflowOf(env: (name: string) => string | undefined): Reflow {
  const has = (...names: string[]) => names.some((name) => (env(name) ?? "") !== "");
  if (has("TMUX")) return "all";
  if (has("STY", "XTERM_VERSION") || /^(linux|rxvt|screen)/.test(env("TERM") ?? "")) return "none";
  return env("TERM_PROGRAM") === "vscode" ? "not-cursor" : "all";
}

/**
 * What the terminal's answer to "what are you" (primary device attributes) tells, over a connection
 * that keeps the environment back, too; `known` when it tells nothing.
 */
export function reflowOfAttributes(
  reply: string,
  known: Reflow,
  env: (name: string) => string | undefined,
): Reflow {
  if ((env("TMUX") ?? "") !== "" || env("TERM_PROGRAM") === "Apple_Terminal") return known;
  if (reply === "\x1b[?1;2c") return "not-cursor";
  // Selective erase, national sets and technical characters together: xterm itself.
  return reply.includes(";6;9;15") ? "none" : known;
}
