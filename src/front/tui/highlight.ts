/**
 * Syntax highlighting of code, line by line.
 *
 * @module
 */

import type { CodePiece } from "./highlight_engine.ts";
import type { Theme } from "./theme.ts";

type Engine = (code: string, language: string) => readonly CodePiece[] | undefined;

/** Longer code is shown without colours: a highlighter may take its time with it. */
const MAX_LENGTH = 200_000;

let engine: Engine | undefined;

/** Loads the highlighter; until then code is shown without colours. Never rejects. */
export async function loadHighlighter(): Promise<void> {
  try {
    engine = (await import("./highlight_engine.ts")).highlightCode;
  } catch {
    // Colours are all that is missing.
  }
}

/** The lines of `code` in colour; as they are when the language is not known. */
export function highlightLines(code: string, language: string, theme: Theme): string[] {
  if (engine === undefined || theme.name === "plain" || code.length > MAX_LENGTH) {
    return code.split("\n");
  }
  try {
    const pieces = engine(code, language.toLowerCase());
    const isWhole = pieces?.reduce((sum, { text }) => sum + text.length, 0) === code.length;
    if (pieces !== undefined && isWhole) return linesOf(pieces, theme);
  } catch {
    // Colours are all that is missing.
  }
  return code.split("\n");
}

function linesOf(pieces: readonly CodePiece[], theme: Theme): string[] {
  const lines: string[] = [];
  let line = "";
  for (const { text, role } of pieces) {
    const parts = text.split("\n");
    parts.forEach((part, index) => {
      if (index > 0) {
        lines.push(line);
        line = "";
      }
      if (part !== "") line += role === undefined ? part : theme.style(role, part);
    });
  }
  return [...lines, line];
}
