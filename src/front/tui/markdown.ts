/**
 * Markdown as lines of the terminal.
 *
 * @module
 */

import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { setCapabilityOverrides } from "@earendil-works/pi-tui/dist/terminal-image.js";
import { highlightLines } from "./highlight.ts";
import { fit, widthOf, wrap } from "./layout.ts";
import type { Role, Theme } from "./theme.ts";

// Targets are printed behind their text: nobody follows a link blindly.
setCapabilityOverrides({ hyperlinks: false });

/** A printed address that is a target worth clicking; not one that the end of the line has cut. */
// deno-lint-ignore no-control-regex
const ADDRESS = /https?:\/\/[^\s\x1b<>"'`]+[^\s\x1b<>"'`.,;:!?)\]}]/g;

/** One line of plain words, in which Markdown sees nothing but words. */
const PROSE = /^\p{L}[^*_`[\]<>~|\\!&#@$=+\n\t]*[^\s*_`[\]<>~|\\!&#@$=+]$/u;

const themes = new WeakMap<Theme, MarkdownTheme>();

/** Renders sanitised Markdown; lines carry no blanks at their ends. */
export function renderMarkdown(source: string, width: number, theme: Theme): string[] {
  if (source.trim() === "") return [];
  if (PROSE.test(source) && !/:\/\/|www\./i.test(source)) return wrap(source, width);
  const component = new Markdown(source, 0, 0, markdownTheme(theme), undefined, {
    preserveOrderedListMarkers: true,
    renderLatex: false,
  });
  return compactTables(component.render(Math.max(1, width))).map((line) =>
    linked(clean(line, width, theme), width, theme)
  );
}

/** Takes the rules between the rows of a table away where every row is one line. */
function compactTables(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    kept.push(line);
    if (!line.startsWith("┌")) continue;
    const end = lines.findIndex((candidate, index) => index > at && candidate.startsWith("└"));
    const body = lines.slice(at + 1, end);
    const isRule = (row: string) => row.startsWith("├");
    if (end < 0 || body.some((row, index) => isRule(row) !== (index % 2 === 1))) continue;
    kept.push(...body.filter((row, index) => index === 1 || !isRule(row)));
    at = end - 1;
  }
  return kept;
}

/** Trailing blanks go (they would wrap when the window becomes narrower), foreign resets too. */
function clean(line: string, width: number, theme: Theme): string {
  // deno-lint-ignore no-control-regex
  const bare = theme.name === "plain" ? line.replace(/\x1b\[[0-9;]*m/g, "") : line;
  // deno-lint-ignore no-control-regex
  const trimmed = bare.replace(/[ ]+((?:\x1b\[[0-9;]*m)*)$/, "$1");
  return fit(trimmed, width);
}

/** Makes printed addresses clickable. */
function linked(line: string, width: number, theme: Theme): string {
  if (theme.name === "plain" || !line.includes("://")) return line;
  return line.replace(ADDRESS, (address, offset: number) => {
    const cut = widthOf(line.slice(0, offset + address.length)) >= width;
    return cut ? address : `\x1b]8;;${address}\x1b\\${address}\x1b]8;;\x1b\\`;
  });
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
