/**
 * Whether lines are coloured.
 *
 * @module
 */

/** What decides, in the order of its weight. */
export interface ColourChoice {
  /** The setting or flag. Default `auto`. */
  readonly color?: "auto" | "always" | "never";
  readonly isTerminal: boolean;
  /** The environment; empty variables count as absent. Default: the real one. */
  readonly env?: (name: string) => string | undefined;
}

/** Decides about colour: the setting, NO_COLOR, FORCE_COLOR, then what stdout is. */
export function wantsColour({ color, isTerminal, env }: ColourChoice): boolean {
  const get = env ?? ((name: string) => Deno.env.get(name));
  if (color === "always" || color === "never") return color === "always";
  if (get("NO_COLOR")) return false;
  const force = get("FORCE_COLOR");
  if (force) return force !== "0" && force !== "false";
  const terminal = get("TERM") ?? "";
  return isTerminal && terminal !== "" && terminal !== "dumb";
}
