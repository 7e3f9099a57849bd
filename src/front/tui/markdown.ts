/**
 * Markdown as lines of the terminal.
 *
 * @module
 */

import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { setCapabilityOverrides } from "@earendil-works/pi-tui/dist/terminal-image.js";
import { highlightLines } from "./highlight.ts";
import { fit, wrap } from "./layout.ts";
import { changeOutsideCode } from "./markdown_code.ts";
import { decodeEntities } from "./markdown_entities.ts";
import { linkAddresses } from "./markdown_links.ts";
import { layOutTables } from "./markdown_tables.ts";
import type { Role, Theme } from "./theme.ts";

// Targets are printed behind their text: nobody follows a link blindly.
setCapabilityOverrides({ hyperlinks: false });

/** One line of plain words, in which Markdown sees nothing but words. */
const PROSE = /^\p{L}[^*_`[\]<>~|\\!&#@$=+\n\t]*[^\s*_`[\]<>~|\\!&#@$=+]$/u;

const IMAGE = /!\[([^\]\n]{0,200})\]\([ \t]*([^()\s]{1,2000})(?:\s[^()\n]{0,500})?\)/g;

const themes = new WeakMap<Theme, MarkdownTheme>();

/** Renders sanitised Markdown; lines carry no blanks at their ends. */
export function renderMarkdown(source: string, width: number, theme: Theme): readonly string[] {
  if (source.trim() === "") return [];
  if (PROSE.test(source) && !/:\/\/|www\./i.test(source)) return wrap(source, width);
  const text = decodeEntities(source);
  const component = new Markdown(shownWhole(text), 0, 0, markdownTheme(theme), undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  });
  const lines = layOutTables(component.render(Math.max(1, width)), text)
    .map((line) => clean(line, width, theme));
  while (lines.at(-1) === "") lines.pop();
  return theme.name === "plain" ? lines : linkAddresses(lines, text);
}

/**
 * What the component would leave out is put in a form that it shows: pictures by address become
 * links, comments text.
 */
function shownWhole(source: string): string {
  if (!source.includes("![") && !source.includes("<!--")) return source;
  return changeOutsideCode(source, (text) =>
    text.replaceAll(/(?<!\\)<!--/g, "\\<!--").replace(
      IMAGE,
      (_, name: string, target: string) => `[image${name === "" ? "" : `: ${name}`}](${target})`,
    ));
}

/** Trailing blanks go (they would wrap when the window becomes narrower), foreign resets too. */
function clean(line: string, width: number, theme: Theme): string {
  // deno-lint-ignore no-control-regex
  const bare = theme.name === "plain" ? line.replace(/\x1b\[[0-9;]*m/g, "") : line;
  // deno-lint-ignore no-control-regex
  const trimmed = bare.replace(/[ ]+((?:\x1b\[[0-9;]*m)*)$/, "$1");
  return fit(trimmed, width);
}

function markdownTheme(theme: Theme): MarkdownTheme {
  const known = themes.get(theme);
  if (known !== undefined) return known;
  const as = (role: Role) => (text: string) => theme.style(role, text);
  const made: MarkdownTheme = {
    heading: as("heading"),
    link: as("link"),
    linkUrl: as("dim"),
    code: theme.name === "plain" ? (text) => `\`${text}\`` : as("code"),
    codeBlock: (text) => text,
    codeBlockBorder: as("dim"),
    quote: as("quote"),
    quoteBorder: as("dim"),
    hr: as("dim"),
    listBullet: as("accent"),
    bold: as("bold"),
    italic: as("italic"),
    strikethrough: as("strike"),
    underline: (text) => text,
    highlightCode: (code, language) => highlightLines(code, language ?? "", theme),
  };
  themes.set(theme, made);
  return made;
}
