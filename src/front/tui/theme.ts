/**
 * Colours and styles, as a table of roles.
 *
 * The sixteen colours of the terminal's own palette are used wherever they do, so that the person's
 * choice of palette holds.
 *
 * @module
 */

/** Select Graphic Rendition parameters of each role on a dark and on a light background. */
const ROLES = {
  dim: { dark: "2", light: "2" },
  bold: { dark: "1", light: "1" },
  italic: { dark: "3", light: "3" },
  underline: { dark: "4", light: "4" },
  strike: { dark: "9", light: "9" },
  accent: { dark: "36", light: "34" },
  user: { dark: "1;36", light: "1;34" },
  ok: { dark: "32", light: "32" },
  warning: { dark: "33", light: "35" },
  error: { dark: "31", light: "31" },
  heading: { dark: "1;36", light: "1;34" },
  code: { dark: "36", light: "34" },
  link: { dark: "4;34", light: "4;34" },
  quote: { dark: "3", light: "3" },
  added: { dark: "32", light: "32" },
  removed: { dark: "31", light: "31" },
  addedWord: { dark: "1;4;32", light: "1;4;32" },
  removedWord: { dark: "1;4;31", light: "1;4;31" },
  keyword: { dark: "35", light: "35" },
  string: { dark: "32", light: "32" },
  number: { dark: "33", light: "36" },
  comment: { dark: "2;3", light: "2;3" },
  name: { dark: "34", light: "34" },
  selected: { dark: "1;36", light: "1;34" },
} as const;

/** What a piece of text is. */
export type Role = keyof typeof ROLES;

/** Whether, and for which background, to colour. */
export type ThemeName = "dark" | "light" | "plain";

/** Styles text by its role. */
export interface Theme {
  readonly name: ThemeName;
  /** Gives `text` the look of `role`; with the plain theme, `text` as it is. */
  style(role: Role, text: string): string;
}

/** The theme of that name. `plain` writes no colours and no other attributes at all. */
export function themeNamed(name: ThemeName): Theme {
  if (name === "plain") return { name, style: (_role, text) => text };
  return {
    name,
    style: (role, text) => text === "" ? "" : paint(ROLES[role][name], text),
  };
}

/** A theme that can become another one while it is in use. */
export class SwitchableTheme implements Theme {
  #theme: Theme;

  constructor(name: ThemeName) {
    this.#theme = themeNamed(name);
  }

  get name(): ThemeName {
    return this.#theme.name;
  }

  /** From now on styles come from the theme of that name. */
  use(name: ThemeName): void {
    this.#theme = themeNamed(name);
  }

  style(role: Role, text: string): string {
    return this.#theme.style(role, text);
  }
}

function paint(parameters: string, text: string): string {
  const off = [...new Set(parameters.split(";").map(closing))].join(";");
  return `\x1b[${parameters}m${text}\x1b[${off}m`;
}

function closing(parameter: string): string {
  switch (parameter) {
    case "1":
    case "2":
      return "22";
    case "3":
      return "23";
    case "4":
      return "24";
    case "9":
      return "29";
    default:
      return "39";
  }
}

/** What decides about colour, in the order of its weight. */
export interface ColourWishes {
  /** The setting. */
  readonly color?: "auto" | "always" | "never";
  readonly theme?: "auto" | "dark" | "light";
  /** The environment: NO_COLOR, FORCE_COLOR, COLORTERM, TERM, COLORFGBG. */
  readonly env: (name: string) => string | undefined;
}

/** Terminals that have no colours, unless COLORTERM says otherwise. */
const COLOURLESS = /^(?:vt\d+.*|.*-m(?:ono)?)$/;

/** The theme to start with. An empty NO_COLOR or FORCE_COLOR counts as absent. */
export function chooseTheme({ color = "auto", theme = "auto", env }: ColourWishes): ThemeName {
  if (color === "never") return "plain";
  if (color === "auto" && !wantsColour(env)) return "plain";
  if (theme !== "auto") return theme;
  const background = env("COLORFGBG")?.split(";").at(-1);
  return background === "7" || background === "15" ? "light" : "dark";
}

function wantsColour(env: ColourWishes["env"]): boolean {
  if (env("NO_COLOR")) return false;
  const force = env("FORCE_COLOR");
  if (force) return force !== "0" && force !== "false";
  const term = env("TERM") ?? "";
  if (term === "" || term === "dumb") return false;
  return Boolean(env("COLORTERM")) || !COLOURLESS.test(term);
}

/** The background that a terminal reports (`rgb:RRRR/GGGG/BBBB`), or `undefined`. */
export function parseBackground(report: string): "dark" | "light" | undefined {
  const match = /rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(report);
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((hex) =>
    parseInt(hex, 16) / (16 ** hex.length - 1)
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}
