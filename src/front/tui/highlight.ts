/**
 * Syntax highlighting of code, line by line.
 *
 * @module
 */

import type { Role, Theme } from "./theme.ts";

type Engine = (code: string, language: string) => string | undefined;

/** Longer code is shown without colours: a highlighter may take its time with it. */
const MAX_LENGTH = 200_000;

const ROLE_OF: Readonly<Record<string, Role>> = {
  keyword: "keyword",
  literal: "keyword",
  operator: "keyword",
  "selector-tag": "keyword",
  built_in: "name",
  type: "name",
  title: "name",
  function: "name",
  class: "name",
  attr: "name",
  attribute: "name",
  property: "name",
  tag: "name",
  name: "name",
  section: "name",
  symbol: "number",
  number: "number",
  string: "string",
  regexp: "string",
  char: "string",
  "selector-attr": "string",
  comment: "comment",
  quote: "comment",
  doctag: "comment",
  meta: "comment",
  addition: "added",
  deletion: "removed",
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

let engine: Engine | undefined;

/** Loads the highlighter; until then code is shown without colours. Never rejects. */
export async function loadHighlighter(): Promise<void> {
  try {
    engine = (await import("./highlight_engine.ts")).highlightHtml;
  } catch {
    // Colours are all that is missing.
  }
}

/** The lines of `code` in colour; as they are when the language is not known. */
export function highlightLines(code: string, language: string, theme: Theme): string[] {
  const plain = code.split("\n");
  if (engine === undefined || theme.name === "plain" || code.length > MAX_LENGTH) return plain;
  try {
    const html = engine(code, language.toLowerCase());
    if (html === undefined) return plain;
    const lines = linesOfHtml(html, theme);
    return lines.length === plain.length ? lines : plain;
  } catch {
    return plain;
  }
}

function linesOfHtml(html: string, theme: Theme): string[] {
  const roles: (Role | undefined)[] = [];
  const lines = [""];
  const write = (text: string) => {
    const role = roles.findLast((candidate) => candidate !== undefined);
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push("");
      if (part !== "") {
        lines[lines.length - 1] += role === undefined ? part : theme.style(role, part);
      }
    });
  };
  for (const [piece] of html.matchAll(/<span class="[^"]*">|<\/span>|&[#\w]+;|[^<&]+/g)) {
    if (piece === "</span>") roles.pop();
    else if (piece.startsWith("<span")) roles.push(roleOf(piece));
    else write(ENTITIES[piece] ?? piece);
  }
  return lines;
}

function roleOf(span: string): Role | undefined {
  const name = /hljs-([\w-]+)/.exec(span)?.[1] ?? "";
  return ROLE_OF[name];
}
